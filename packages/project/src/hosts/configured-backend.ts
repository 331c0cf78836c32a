import {
  type Backend,
  type BackendEvent,
  ConfigError,
  formatPosition,
  ModelNotFoundError,
  override,
} from "@bridle/protocol";
import { settingsRedactor } from "../event-log/event-log.ts";
import type { Settings } from "../settings/settings.ts";
import { shownField } from "../settings/shown-field.ts";
import { createValueRedactor, type ValueRedactor } from "./value-redactor.ts";

type FileSettings = Pick<Settings, "models" | "written" | "values" | "positions"> &
  Partial<Pick<Settings, "environment" | "providerSource">>;

/** Redacts the given values and every other credential of the environment. */
function createFileRedactor({ values, environment = {} }: FileSettings): ValueRedactor {
  return createValueRedactor(values, settingsRedactor({ values: [], environment }).text);
}

/**
 * Returns the models by role, as the runtime gets them. Names from the environment are replaced with their references in the file. Only the
 * backend of `withSettings` uses the real names, so that no event or result contains them.
 */
export function shownModels({ models, written }: Pick<Settings, "models" | "written">): Record<string, string> {
  return Object.fromEntries(Object.entries(models).map(([role, model]) => [role, shownModel(written, role) ?? model]));
}

/**
 * Returns a function that calls a host, for `model` if you pass one. The errors of the function contain the position of a wrong setting in
 * the file, and no values from the environment.
 */
export function createExplainer(settings: FileSettings): <T>(work: () => Promise<T>, model?: string) => Promise<T> {
  const redactor = createFileRedactor(settings);
  return async (work, model) => {
    try {
      return await work();
    } catch (error) {
      const placed = withPosition(error, settings, model);
      redactor.error(placed);
      throw placed;
    }
  };
}

/** Wraps a backend so that it resolves the names of `shownModels`, and its errors contain the position of a wrong setting in the file. */
export function withSettings(backend: Backend, settings: FileSettings): Backend {
  const redactor = createFileRedactor(settings);
  const explained = createExplainer(settings);

  return override(backend, {
    open: (spec, signal) =>
      explained(async () => {
        const conversation = await backend.open({ ...spec, model: realModel(settings, spec.model) }, signal);
        return override(conversation, {
          turn(input, context) {
            const emit = (event: BackendEvent) => context.emit(redactEvent(event, redactor));
            return explained(() => conversation.turn(input, override(context, { emit })), spec.model);
          },
          close: () => explained(() => conversation.close()),
        });
      }, spec.model),
    checkAuth: (signal) =>
      explained(async () => {
        const status = await backend.checkAuth(signal);
        return { ...status, detail: redactor.text(status.detail) };
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

/** Redacts the host's own messages in an event. The model's text is not changed. */
function redactEvent(event: BackendEvent, { text }: ValueRedactor): BackendEvent {
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

function withPosition(error: unknown, settings: FileSettings, model?: string): unknown {
  const { models, written, positions } = settings;
  if (error instanceof ModelNotFoundError) {
    const role = Object.keys(models).find((each) => (shownModel(written, each) ?? models[each]) === model);
    const field = `llm.models.${role}`;
    const position = positions[field];
    if (!position) return error;
    const message = `${formatPosition(position)}: ${shownField(field, settings)}: ${error.message}`;
    return new ModelNotFoundError(message, error.model, error.nearest, { cause: error });
  }
  if (!(error instanceof ConfigError) || error.position || error.field === undefined) return error;
  const position = positions[error.field];
  return position ? new ConfigError(error.message, { position, field: error.field, cause: error }) : error;
}
