CLAIMS: tuple = ()
