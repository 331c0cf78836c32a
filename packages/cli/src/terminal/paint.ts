import { styleText } from "node:util";
import { type Environment } from "@bridle/project";
import { type Output } from "../command-line/cli.ts";

export type Colour = "green" | "red" | "yellow" | "cyan" | "dim" | "bold";

/** Colours on a terminal, unless NO_COLOR is set; the plain text elsewhere. */
export function createPaint({ isTTY }: Output, environment: Environment): (colour: Colour, text: string) => string {
  const isPlain = !isTTY || Boolean(environment.NO_COLOR) || environment.TERM === "dumb";
  return (colour, text) => (isPlain ? text : styleText(colour, text, { validateStream: false }));
}
