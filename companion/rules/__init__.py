"""Rules, one package a game; pure: no clock, random, files, threads or numpy."""
