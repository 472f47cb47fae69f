"""When a rule applies: the activities, commands and files that it is about."""
