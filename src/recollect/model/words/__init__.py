"""The words of texts as recall and capture compare them. Import-light."""
