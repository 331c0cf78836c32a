import {
  type Backend,
  type BackendEvent,
  ConfigError,
  formatPosition,
  ModelNotFoundError,
  override,
} from "@bridle/protocol";
import { settingsRedactor } from "../runtime/event-log.ts";
import type { Settings } from "../settings/settings.ts";
import { type Concealer, createConcealer } from "./conceal.ts";

type FileSettings = Pick<Settings, "models" | "written" | "values" | "positions"> &
  Partial<Pick<Settings, "environment">>;

/** Of the values, and of every other credential. */
function concealerOf({ values, environment = {} }: FileSettings): Concealer {
  return createConcealer(values, settingsRedactor({ values: [], environment }).text);
}

/**
 * The models as the runtime may know them: those that came from the environment as the file writes them. Only the
 * backend of `withSettings` puts the real name in, so that no record, event or result ever sees it.
 */
export function shownModels({ models, written }: Pick<Settings, "models" | "written">): Record<string, string> {
  return Object.fromEntries(Object.entries(models).map(([role, model]) => [role, shownModel(written, role) ?? model]));
}

/**
 * Does work that asks a host, on `model` where it is about one; its errors then say where in the file a wrong setting
 * is, and hold nothing that came from the environment.
 */
export function createExplainer(settings: FileSettings): <T>(work: () => Promise<T>, model?: string) => Promise<T> {
  const conceal = concealerOf(settings);
  return async (work, model) => {
    try {
      return await work();
    } catch (error) {
      const placed = withPosition(error, settings, model);
      conceal.error(placed);
      throw placed;
    }
  };
}

/** A backend that resolves `shownModels`, and whose errors say where in the file a wrong setting is. */
export function withSettings(backend: Backend, settings: FileSettings): Backend {
  const conceal = concealerOf(settings);
  const explained = createExplainer(settings);

  return override(backend, {
    open: (spec, signal) =>
      explained(async () => {
        const conversation = await backend.open({ ...spec, model: realModel(settings, spec.model) }, signal);
        return override(conversation, {
          turn(input, context) {
            const emit = (event: BackendEvent) => context.emit(concealEvent(event, conceal));
            return explained(() => conversation.turn(input, override(context, { emit })), spec.model);
          },
          close: () => explained(() => conversation.close()),
        });
      }, spec.model),
    checkAuth: (signal) =>
      explained(async () => {
        const status = await backend.checkAuth(signal);
        return { ...status, detail: conceal.text(status.detail) };
      }),
    close: () => explained(() => backend.close()),
  });
}

function shownModel(written: Settings["written"], role: string): string | undefined {
  return written[`llm.models.${role}`];
}

function realModel({ models, written }: FileSettings, shown: string): string {
  const role = Object.keys(models).find((each) => shownModel(written, each) === shown);
  return (role === undefined ? undefined : models[role]) ?? shown;
}

/** What a host says of its own accord; the model's words are left as they are. */
function concealEvent(event: BackendEvent, { text }: Concealer): BackendEvent {
  switch (event.type) {
    case "step.started":
      return event.model === undefined ? event : { ...event, model: text(event.model) };
    case "retry.scheduled":
      return { ...event, reason: text(event.reason) };
    case "notice":
      return { ...event, message: text(event.message) };
    default:
      return event;
  }
}

function withPosition(error: unknown, { models, written, positions }: FileSettings, model?: string): unknown {
  if (error instanceof ModelNotFoundError) {
    const role = Object.keys(models).find((each) => (shownModel(written, each) ?? models[each]) === model);
    const field = `llm.models.${role}`;
    const position = positions[field];
    if (!position) return error;
    const message = `${formatPosition(position)}: ${field}: ${error.message}`;
    return new ModelNotFoundError(message, error.model, error.nearest, { cause: error });
  }
  if (!(error instanceof ConfigError) || error.position || error.field === undefined) return error;
  const position = positions[error.field];
  return position ? new ConfigError(error.message, { position, field: error.field, cause: error }) : error;
}
