"""The databases of the tests of studies, here too."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

path = Path(__file__).parents[1] / "study" / "conftest.py"
spec = spec_from_file_location("study_conftest", path)
assert spec is not None
assert spec.loader is not None
study_conftest = module_from_spec(spec)
spec.loader.exec_module(study_conftest)

postgresql = study_conftest.postgresql
sqlite = study_conftest.sqlite
url = study_conftest.url
