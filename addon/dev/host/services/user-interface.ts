// Session, Ui, HtmlService and the log on the host.
import { type Args, type Context, Exception, type Handlers } from '../calls.ts';
import type { Settings } from '../settings.ts';
import type { Job } from '../threads/protocol.ts';
import { isRecord } from '../threads/protocol.ts';
import type { ButtonSet, HostOptions, Menu, MenuItem } from '../types.ts';

/** More than the files of an add-on. */
const MAX_TEXTS = 8;

/**
 * Returns a function that computes the result of each text once, while few texts were asked for since.
 * @param compute - must always return the same for the same text, and nobody may change it
 */
export function memoizeByText<Result>(compute: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    const [oldest] = results.keys();
    if (results.size >= MAX_TEXTS && oldest !== undefined) results.delete(oldest);
    results.set(text, result);
    return result;
  };
}

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

const strip = memoizeByText(stripComments);

/** Puts a text into shared memory, which threads read without a copy in the message. */
const shareText = memoizeByText((text) => {
  const bytes = new TextEncoder().encode(text);
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  return memory;
});

/** Returns the project's HTML files as a script reads them, as UTF-8. */
export const shareFiles = (
  files: Readonly<Record<string, string>>,
  { stripsComments }: Pick<Settings, 'stripsComments'>,
): Job['files'] =>
  Object.fromEntries(
    Object.entries(files).map(([name, html]) => [name, shareText(stripsComments ? strip(html) : html)]),
  );

type UiOptions = Required<Pick<HostOptions, 'files' | 'onUi' | 'onLog'>>;

/** Creates the handlers of Session, Ui, HtmlService and the log. */
export function uiHandlers({ files, onUi, onLog }: UiOptions, onMenu: (menu: Menu) => void): Handlers {
  const showPrompt = (kind: 'alert' | 'prompt') => async (_context: unknown, args: Args) => {
    const request = {
      kind,
      title: args.string(0),
      prompt: args.string(1),
      buttons: parseButtonSet(args.string(2)),
    };
    const answer = await onUi(request);
    return { button: answer?.button ?? 'CLOSE', text: answer?.text ?? '' };
  };
  /** Returns the name of a file, whose text the job has. */
  const findFile = (_context: Context, args: Args): string => {
    const name = args.string(0).replace(/\.html$/, '');
    if (!Object.hasOwn(files, name)) throw new Exception(`No HTML file named ${args.string(0)} was found.`);
    return name;
  };
  return {
    'Session.getActiveUserLocale': ({ settings }) => settings.language,
    'Ui.open': () => null,
    'Ui.alert': showPrompt('alert'),
    'Ui.prompt': showPrompt('prompt'),
    'Ui.addToUi': async (_context, args) => {
      const menu = parseMenu(args.at(0));
      onMenu(menu);
      await onUi({ kind: 'menu', menu });
      return null;
    },
    'Ui.showSidebar': async (_context, args) => {
      const { title, html } = args.record(0);
      await onUi({ kind: 'sidebar', title: String(title), html: String(html) });
      return null;
    },
    'HtmlService.createHtmlOutputFromFile': findFile,
    'HtmlService.createTemplateFromFile': findFile,
    'SpreadsheetApp.Spreadsheet.toast': async (_context, args) => {
      await onUi({ kind: 'toast', message: args.string(0), title: args.string(1), seconds: args.number(2) });
      return null;
    },
    'Console.write': (_context, args) => {
      onLog({ text: args.string(0) });
      return null;
    },
  };
}

function parseButtonSet(text: string): ButtonSet {
  return text === 'OK_CANCEL' || text === 'YES_NO' || text === 'YES_NO_CANCEL' ? text : 'OK';
}

function parseMenu(value: unknown): Menu {
  if (!isRecord(value) || !Array.isArray(value.items)) throw new TypeError('a menu has no items');
  const items = value.items.map((item: unknown): MenuItem => {
    if (!isRecord(item)) throw new TypeError('a menu item is invalid');
    if (item.kind === 'menu') return { kind: 'menu', menu: parseMenu(item.menu) };
    if (item.kind === 'separator') return { kind: 'separator' };
    return { kind: 'item', caption: String(item.caption), functionName: String(item.functionName) };
  });
  return { caption: String(value.caption), addon: value.addon === true, items };
}
