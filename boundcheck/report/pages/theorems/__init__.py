"""Pages about theorems: one each (`sheet`), several on one (`brief`), what is false (`finding`), all in a `matrix`."""
