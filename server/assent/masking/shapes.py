"""All shapes of secrets that are known by their own looks."""

from assent.masking.shapes_clouds import CLOUDS
from assent.masking.shapes_code import CODE
from assent.masking.shapes_models import MODELS
from assent.masking.shapes_services import SERVICES

SHAPES = CLOUDS + CODE + MODELS + SERVICES
