import { useEffect, useRef } from "react";
import type { ShownTranscript } from "../connection/session-entries.ts";
import { useAnnouncer } from "./announcer.tsx";
import { AnswerSpeech } from "./answer-speech.ts";

/** Reads the answers of a session aloud while they are written. */
export function useSpokenAnswers(transcript: ShownTranscript | undefined): void {
  const announcer = useAnnouncer();
  const speech = useRef<AnswerSpeech>(undefined);
  useEffect(() => {
    if (transcript === undefined) return;
    speech.current ??= new AnswerSpeech(transcript.entries);
    for (const line of speech.current.next(transcript.entries)) announcer.say(line);
  }, [transcript, announcer]);
}
