import { userInfo } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { userName } from "./user-name.ts";

test.each(["USER", "LOGNAME", "USERNAME", "SUDO_USER"])(
  "%s does not decide who is on record as having answered",
  (variable) => {
    const before = process.env[variable];
    onTestFinished(() => {
      if (before === undefined) delete process.env[variable];
      else process.env[variable] = before;
    });
    process.env[variable] = "the-director";
    expect(userName()).toBe(userInfo().username);
    expect(userName()).not.toBe("the-director");
  },
);
