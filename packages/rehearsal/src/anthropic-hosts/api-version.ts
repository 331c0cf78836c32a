/** The version of the Messages API that the clients of Anthropic send to a cloud, since their version 1.0. */
export const apiVersion = "2026-10-21";
