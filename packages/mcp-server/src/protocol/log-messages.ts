/** Sends messages about the progress of calls as log messages to clients that set a level. Other clients receive none. */
import { LOG_LEVEL_META_KEY, type LoggingLevel, type Server, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";

/** Reads the log level, which a client of the revision 2026-07-28 sends with each request. */
const envelopeSchema = z
  .object({ [LOG_LEVEL_META_KEY]: z.string().optional() })
  .transform((envelope) => envelope[LOG_LEVEL_META_KEY])
  .optional()
  .catch(undefined);

/** The log for one client. All messages have the level `info`. */
export class LogMessages {
  #level: LoggingLevel | undefined;

  constructor(server: Server) {
    server.setRequestHandler("logging/setLevel", ({ params }) => {
      this.#level = params.level;
      return {};
    });
  }

  /** Sends a message of a tool if the client wants it. Rejects if it cannot be sent. */
  async send({ envelope, notify }: ServerContext["mcpReq"], logger: string, data: string): Promise<void> {
    const level = envelopeSchema.parse(envelope) ?? this.#level;
    if (level !== "debug" && level !== "info") return;
    await notify({ method: "notifications/message", params: { level: "info", logger, data } });
  }
}
