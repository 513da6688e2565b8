// A defect of HtmlService: it removes comments from scripts without knowing template literals.

const STRING = /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/;
/** A regular expression follows an operator or a keyword; after a name, a number or a bracket, a slash divides. */
const REGEXP =
  /(?<=(?:^|[(,=:[!&|?{;+\-*%<>~^]|\b(?:return|typeof|case|in|of|delete|void))\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//;
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*/;
const TOKENS = new RegExp(`(${STRING.source}|${REGEXP.source})|${COMMENT.source}`, 'g');

const stripScript = (code: string): string => code.replace(TOKENS, (_, kept?: string) => kept ?? '');

/**
 * Removes what HtmlService takes for comments, also inside template literals, where `//` and `/*` are plain text
 * (https://github.com/enuchi/React-Google-Apps-Script/issues/157). A comment-like text in a template literal can also
 * damage the code after it (https://github.com/tanaikech/A2UI-for-Google-Apps-Script/issues/2).
 * @param content - a page, whose scripts are changed, or a file that is only a script
 */
export function stripComments(content: string): string {
  if (!/^\s*</.test(content)) return stripScript(content);
  return content.replace(
    /(<script\b[^>]*>)([\s\S]*?)(?=<\/script)/gi,
    (_, tag: string, code: string) => `${tag}${stripScript(code)}`,
  );
}
