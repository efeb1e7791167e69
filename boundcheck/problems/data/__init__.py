"""Problems on data: regression, classification, networks, AUC maximisation."""
