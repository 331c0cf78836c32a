/**
 * The program that runs functions of a Python file. It reads requests from standard input and writes answers to standard output, one JSON
 * value per line. Output of the Python file goes to standard error. Requires Python 3.9 or newer.
 */
export const workerSource = String.raw`
import asyncio, dataclasses, importlib, importlib.util, inspect, json, os, sys, traceback, types, typing

answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
os.dup2(2, 1)
requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
path, base = sys.argv[1], sys.argv[2]
sys.path[:0] = [os.path.dirname(path), base]

@dataclasses.dataclass(frozen=True)
class ToolInvocation:
    name: str
    args: dict
    result: object = None
    bytes: int = 0
    duration_ms: object = None
    error: object = None

@dataclasses.dataclass(frozen=True)
class GraderContext:
    turn_input: str
    agent_response: str
    ground_truth: object = None
    tool_invocations: tuple = ()
    retrieval_context: object = None
    turn_index: int = 0
    test_case_name: object = None
    turn_config: dict = dataclasses.field(default_factory=dict)

@dataclasses.dataclass(frozen=True)
class GraderResult:
    score: float
    passed: object = None
    reason: object = None
    details: object = None

def provide_grader_types():
    """Graders of HoloDeck import these types. They are provided if its package is not installed."""
    try:
        importlib.import_module("holodeck.lib.test_runner.code_grader")
    except ImportError:
        parts = "holodeck.lib.test_runner.code_grader".split(".")
        for count in range(1, len(parts) + 1):
            name = ".".join(parts[:count])
            sys.modules.setdefault(name, types.ModuleType(name))
        for each in (ToolInvocation, GraderContext, GraderResult):
            setattr(sys.modules["holodeck.lib.test_runner.code_grader"], each.__name__, each)

loaded = None

def load():
    global loaded
    if loaded is None:
        name = os.path.splitext(os.path.basename(path))[0]
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        loaded = module
    return loaded

def find(name):
    module = load()
    found = getattr(module, name, None)
    if callable(found):
        return found
    own = [key for key, value in vars(module).items()
           if inspect.isfunction(value) and value.__module__ == module.__name__ and not key.startswith("_")]
    raise LookupError("it has no function " + name + ". " + ("It has " + ", ".join(own) if own else "It has none"))

simple = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", tuple: "array", dict: "object"}

def schema(hint):
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint in simple:
        return {"type": simple[hint]}
    if origin is typing.Literal:
        return {"enum": list(args)}
    if origin in (list, tuple, set) and args:
        return {"type": "array", "items": schema(args[0])}
    if origin is dict:
        return {"type": "object"}
    if origin is typing.Annotated:
        texts = [each for each in args[1:] if isinstance(each, str)]
        return {**schema(args[0]), **({"description": texts[0]} if texts else {})}
    if origin is typing.Union or origin is getattr(types, "UnionType", None):
        kinds = [schema(each) for each in args if each is not type(None)]
        return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    return {}

def describe(function):
    hints = typing.get_type_hints(function, include_extras=True)
    parameters = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        entry = schema(hints.get(name))
        if parameter.default is not parameter.empty:
            entry["required"] = False
        parameters[name] = entry
    return {"parameters": parameters, "description": inspect.getdoc(function)}

def context_of(facts):
    calls = tuple(ToolInvocation(**each) for each in facts.pop("tool_invocations"))
    retrieved = facts.pop("retrieval_context")
    own = sys.modules.get("holodeck.lib.test_runner.code_grader")
    kind = getattr(own, "GraderContext", GraderContext)
    return kind(tool_invocations=calls, retrieval_context=tuple(retrieved), **facts)

def plain(value):
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if hasattr(value, "model_dump"):
        return value.model_dump()
    return str(value)

def run(request):
    if request["do"] == "grade":
        provide_grader_types()
    function = find(request["function"])
    if request["do"] == "describe":
        return describe(function)
    value = function(**request["input"]) if request["do"] == "call" else function(context_of(request["input"]))
    return asyncio.run(value) if inspect.iscoroutine(value) else value

for line in requests:
    request = json.loads(line)
    try:
        answer = {"value": run(request)}
        text = json.dumps(answer, default=plain, allow_nan=False)
    except BaseException as error:
        frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename != "<string>"]
        at = frames[-1].lineno if frames and os.path.realpath(frames[-1].filename) == os.path.realpath(path) else None
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        line = error.lineno if isinstance(error, SyntaxError) else at
        text = json.dumps({"error": message or type(error).__name__, "type": type(error).__name__, "line": line})
    answers.write(text + "\n")
    answers.flush()
`;
