import { BridleRequestError } from "@bridle/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useServer } from "../connection/server.tsx";
import type { GivenAnswer, Question } from "./question-keys.ts";

export interface AnswerState {
  answer(given: GivenAnswer): void;
  readonly isSending: boolean;
  /** Why the answer was not accepted. */
  readonly problem: string | undefined;
}

/** Answers a question that the user reviewed. If the input has changed since then, the answer is rejected. */
export function useAnswer({ id, inputHash }: Question): AnswerState {
  const { client } = useServer();
  const cache = useQueryClient();
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: (given: GivenAnswer) => client.answer(id, { ...given, inputHash }),
    onSettled: () => cache.invalidateQueries({ queryKey: ["approvals"] }),
  });
  const problem =
    error === null
      ? undefined
      : error instanceof BridleRequestError
        ? error.message
        : "The server does not answer. Nothing was sent.";
  return { answer: mutate, isSending: isPending || isSuccess, problem };
}
