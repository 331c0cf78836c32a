/** The Messages API version that Anthropic's clients send to a cloud, since their version 1.0. */
export const apiVersion = "2026-10-21";
