import type { AgentRuntime } from "bridle";
import { loadRawResume } from "./peers.ts";
import { claudeCode, createStage } from "./stage.ts";
import { measureInTurns } from "./statistics.ts";
import { printTable } from "./table.ts";

const request = { tools: [], stepBudget: 1, system: "Be brief." };

/** Measures the time from the second message of a conversation to its first request on a loopback server. */
export async function benchSecondTurn(rounds: number, folder: string): Promise<void> {
  const stage = await createStage(folder);
  const { place, untilRequest } = stage;
  let resume = async (_prompt: string): Promise<unknown> => undefined;
  await untilRequest(async () => {
    resume = await loadRawResume(place);
  });
  const told = await stage.createRuntime("told", claudeCode(stage, ", pool: false"));
  const held = await stage.createRuntime("held", claudeCode(stage));

  /** Starts a conversation in each round; its first turn is not counted. */
  async function secondTurn(runtime: AgentRuntime): Promise<number> {
    const session = await runtime.openSession(request);
    await untilRequest(async () => (await session.send("hello")).result);
    const ms = await untilRequest(async () => (await session.send("hello again")).result);
    await session.close();
    return ms;
  }

  const series = await measureInTurns(rounds, {
    "raw query() with its own resume": () => untilRequest(() => resume("hello again")),
    "Bridle, with a rebuilt history": () => secondTurn(told),
    "Bridle, in the process of the conversation": () => secondTurn(held),
  });
  printTable("Second message of a conversation to its first request, Claude Code", series);
  await stage.close();
}
