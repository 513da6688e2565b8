// Ui in the realm: menus, alerts, prompts, sidebars and dialogs.
import type { Bridge } from '../bridge.ts';
import { emulated, enumeration, memberName, method } from '../emulated.ts';
import { HTML_OUTPUT, pageOf } from './html.ts';

const BUTTON_SET = 'Ui.ButtonSet';
const buttonSets = enumeration(BUTTON_SET, ['OK', 'OK_CANCEL', 'YES_NO', 'YES_NO_CANCEL']);
const buttons = enumeration('Ui.Button', ['CLOSE', 'OK', 'CANCEL', 'YES', 'NO']);

/** The state of a menu builder. */
interface Draft {
  readonly caption: string;
  readonly addon: boolean;
  readonly items: unknown[];
}

const drafts = new WeakMap<object, Draft>();

function menu(bridge: Bridge, draft: Draft): object {
  const add = (item: unknown): object => {
    draft.items.push(item);
    return self;
  };
  const self = emulated('Ui.Menu', {
    addItem: method(
      (caption, functionName) => add({ kind: 'item', caption, functionName }),
      'String, String',
    ),
    addSeparator: method(() => add({ kind: 'separator' })),
    addSubMenu: method((sub) => add({ kind: 'menu', menu: drafts.get(Object(sub)) }), 'Ui.Menu'),
    addToUi: method(() => void bridge.ask('Ui.addToUi', draft)),
  });
  drafts.set(self, draft);
  return self;
}

interface Shown {
  readonly button: object | undefined;
  readonly text: string;
}

/** Creates the Ui; throws if the execution has none. */
export function ui(bridge: Bridge): object {
  bridge.ask('Ui.open');
  const show = (call: string, args: readonly unknown[]): Shown => {
    const set = memberName(args[args.length - 1]);
    const words = args.filter((arg) => typeof arg === 'string');
    const [title, prompt] = words.length > 1 ? words : ['', words[0]];
    const answer: { button?: unknown; text?: unknown } = Object(bridge.ask(call, title, prompt, set || 'OK'));
    return { button: buttons[String(answer.button)], text: String(answer.text) };
  };
  const takes = ['String', `String, ${BUTTON_SET}`, `String, String, ${BUTTON_SET}`];
  const prompt = (...args: unknown[]): object => {
    const answer = show('Ui.prompt', args);
    return emulated('Ui.PromptResponse', {
      getSelectedButton: method(() => answer.button),
      getResponseText: method(() => answer.text),
    });
  };
  const dialog = (name: string) =>
    method((output, title) => {
      bridge.ask(name, { ...pageOf(output), title });
    }, `${HTML_OUTPUT}, String`);
  const showSidebar = (output: unknown): void => void bridge.ask('Ui.showSidebar', pageOf(output));
  return emulated(
    'Ui',
    {
      createMenu: method(
        (caption) => menu(bridge, { caption: String(caption), addon: false, items: [] }),
        'String',
      ),
      createAddonMenu: method(() => menu(bridge, { caption: '', addon: true, items: [] })),
      alert: method((...args) => show('Ui.alert', args).button, ...takes),
      prompt: method(prompt, ...takes),
      showSidebar: method(showSidebar, HTML_OUTPUT),
      showModalDialog: dialog('Ui.showModalDialog'),
      showModelessDialog: dialog('Ui.showModelessDialog'),
    },
    { Button: buttons, ButtonSet: buttonSets },
  );
}
