"""Install into clients, check the installation, switch vaults on and off."""
