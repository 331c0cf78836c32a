/** Declares the part of highlight.js that is used. Its own declarations would add browser types to every file. */
export declare const highlighter: {
  getLanguage(name: string): unknown;
  highlight(code: string, options: { readonly language: string }): { readonly value: string };
};
