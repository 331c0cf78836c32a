import { type BackendEvent, type Conversation, InvalidRequestError, override } from "@bridle/protocol";
import type { Rehearsal } from "@bridle/rehearsal";

/** A turn during which the script had no answer fails with the script's own sentence, however the host handled it. */
export function failingAsScripted(conversation: Conversation, { failures }: Pick<Rehearsal, "failures">): Conversation {
  return override(conversation, {
    async turn(input, context) {
      const before = failures.length;
      const [outcome] = await Promise.allSettled([conversation.turn(input, context)]);
      const failure = failures[before];
      if (failure) throw new InvalidRequestError(`The rehearsal does not fit: ${failure.message}`);
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    },
  });
}

/** A script costs nothing: its tokens are reported without a cost. */
export function withoutCost(conversation: Conversation): Conversation {
  return override(conversation, {
    turn(input, context) {
      const emit = (event: BackendEvent) => {
        if (event.type !== "usage.reported") return context.emit(event);
        const { cost: _free, ...usage } = event;
        context.emit(usage);
      };
      return conversation.turn(input, override(context, { emit }));
    },
  });
}

/** A rehearsal keeps nothing for the next run of a session, so its conversation was rebuilt from the history. */
export function rebuilt(conversation: Conversation): Conversation {
  const resumption = { resumed: "rebuilt", reason: "not-retained" } as const;
  return override(conversation, { promptContext: { ...conversation.promptContext, resumption } });
}
