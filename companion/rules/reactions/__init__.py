"""The reaction sheet "Actions and Reactions": who may react with what to which pair of actions. Pure."""
