"""Quick reads for a cold command: from rows, without the classes of the model; the project is opened only if needed."""
