import { type BackendEvent, type Conversation, InvalidRequestError, override } from "@bridle/protocol";
import type { Rehearsal } from "@bridle/rehearsal";

/** Makes a turn fail with the script's own message if the script had no answer, however the host handled it. */
export function failingAsScripted(conversation: Conversation, { failures }: Pick<Rehearsal, "failures">): Conversation {
  return override(conversation, {
    async turn(input, context) {
      const before = failures.length;
      const [outcome] = await Promise.allSettled([conversation.turn(input, context)]);
      const failure = failures[before];
      if (failure) throw new InvalidRequestError(`The rehearsal does not match: ${failure.message}`);
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    },
  });
}

/** Removes the costs from events, because a script costs nothing. */
export function withoutCost(conversation: Conversation): Conversation {
  return override(conversation, {
    turn(input, context) {
      const emit = (event: BackendEvent) => {
        if (!("cost" in event)) return context.emit(event);
        const { cost: _free, ...rest } = event;
        context.emit(rest);
      };
      return conversation.turn(input, override(context, { emit }));
    },
  });
}

/** Reports the conversation as rebuilt from the history, because a rehearsal keeps no state for the session's next run. */
export function rebuilt(conversation: Conversation): Conversation {
  const resumption = { resumed: "rebuilt", reason: "not-retained" } as const;
  return override(conversation, { promptContext: { ...conversation.promptContext, resumption } });
}
