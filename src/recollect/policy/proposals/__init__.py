"""What an agent proposed or asked, and what the user answered."""
