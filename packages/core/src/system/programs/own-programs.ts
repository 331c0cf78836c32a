/**
 * Programs that may start without a trusted folder, each with the reason. Their files, arguments and configuration come from Bridle, from
 * the machine or from the user, and never from a folder.
 */
export const ownPrograms = {
  "git-reader": "git with a repository that Bridle created, with a configuration without programs",
  "process-list": "ps, which reads the processes of the machine",
  watchdog: "a shell with a script from Bridle, which ends processes that Bridle started",
  reader: "a program of Bridle's package that reads documents or databases within limits",
  browser: "the program of the machine that opens one of Bridle's pages",
  "typed-command": "a command that the person typed on the command line",
  host: "a host's program, which is installed with Bridle and gets a folder with a request; a runtime takes the proof of trust",
} as const;

export type OwnProgram = keyof typeof ownPrograms;
