export { default as highlighter } from "highlight.js/lib/common";
