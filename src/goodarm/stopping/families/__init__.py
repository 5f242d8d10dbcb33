"""The families of boundaries, one file each: any module here with `BOUNDARY_FAMILIES` is found."""
