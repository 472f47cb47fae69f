"""Quick reads for a cold command: from rows, without the classes of the model. Each opens the project only if it must."""
