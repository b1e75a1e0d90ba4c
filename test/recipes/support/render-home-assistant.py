"""Renders the sensors of a configuration of Home Assistant with bodies of responses.

Standard input is a JSON document with the texts of YAML files (`configuration`, `files` that it includes by
name, `secrets`) and of bodies by name.
Standard output has the parsed configuration and, for each body, the rendered templates of each sensor.
YAML, `!secret`, `!include` and the sandbox of Jinja2 are those that Home Assistant uses. Its own filters and tests are missing.
"""

import json
import sys

import yaml
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

given = json.load(sys.stdin)
secrets = yaml.safe_load(given["secrets"])


class Loader(yaml.SafeLoader):
    """Reads `!secret name` as the value of the other file, and `!include name` as the whole file."""


Loader.add_constructor("!secret", lambda loader, node: secrets[loader.construct_scalar(node)])
Loader.add_constructor("!include", lambda loader, node: yaml.load(given["files"][loader.construct_scalar(node)], Loader))

configuration = yaml.load(given["configuration"], Loader)

# Home Assistant renders `availability` strictly: an unknown name is an error there.
lenient = ImmutableSandboxedEnvironment()
strict = ImmutableSandboxedEnvironment(undefined=StrictUndefined)


def variables_of(body):
    """The variables of a template. A body that is not JSON has no `value_json`."""
    try:
        return {"value": body, "value_json": json.loads(body)}
    except ValueError:
        return {"value": body}


def render(sensor, variables):
    return {
        "name": sensor["name"],
        "available": strict.from_string(sensor["availability"]).render(variables).strip(),
        "value": lenient.from_string(sensor["value_template"]).render(variables).strip(),
    }


sensors = [sensor for rest in configuration["rest"] for sensor in rest["sensor"]]
rendered = {
    name: [render(sensor, variables_of(body)) for sensor in sensors]
    for name, body in given["bodies"].items()
}
json.dump({"configuration": configuration, "rendered": rendered}, sys.stdout)
