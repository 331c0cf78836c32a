/** Files that are sent with prompts. */
export { type AttachedPrompt, type Attachment, attachedMessage } from "./attachment.ts";
export { listPaths } from "./list-files.ts";
export { findMentionedFiles } from "./mentions.ts";
export { readAttachment, readAttachments } from "./read-attachment.ts";
