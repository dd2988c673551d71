# What every page has
