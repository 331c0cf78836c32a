import { expect, test } from "vitest";
import { Followers } from "./changes-of-streams.ts";

test.each(["hello", '{"a":1}', "", '["answers"'])(
  "a message %j that Bridle did not send wakes every follower",
  (message) => {
    const followers = new Followers();
    let looks = 0;
    followers.joinAnswers(() => {
      looks += 1;
    });
    followers.wake(message);
    expect(looks).toBe(1);
  },
);

test("a message about a stream wakes only its followers", () => {
  const followers = new Followers();
  let looks = 0;
  followers.joinAnswers(() => {
    looks += 1;
  });
  followers.wake('["run:7"]');
  followers.wake('["answers"]');
  expect(looks).toBe(1);
});
