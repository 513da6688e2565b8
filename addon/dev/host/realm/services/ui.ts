// Ui in the realm: menus, alerts, prompts and sidebars.
import type { Bridge } from '../bridge.ts';
import { chained, createRegistry, emulateObject, enumeration, memberName, method } from '../emulated.ts';
import { HTML_OUTPUT, pages } from './html.ts';

const BUTTON_SET = 'Ui.ButtonSet';
const buttonSets = enumeration(BUTTON_SET, ['OK', 'OK_CANCEL', 'YES_NO', 'YES_NO_CANCEL']);
const buttons = enumeration('Ui.Button', ['CLOSE', 'OK', 'CANCEL', 'YES', 'NO']);

interface MenuDraft {
  readonly caption: string;
  readonly addon: boolean;
  readonly items: unknown[];
}

const drafts = createRegistry<MenuDraft>('menu');

function createMenu(bridge: Bridge, draft: MenuDraft): object {
  const add = (item: unknown): void => void draft.items.push(item);
  const self = emulateObject('Ui.Menu', {
    addItem: chained(
      (caption, functionName) => add({ kind: 'item', caption, functionName }),
      'String, String',
    ),
    addSeparator: chained(() => add({ kind: 'separator' })),
    addSubMenu: chained((sub) => add({ kind: 'menu', menu: drafts.get(sub) }), 'Ui.Menu'),
    addToUi: method(() => void bridge.call('Ui.addToUi', draft)),
  });
  drafts.set(self, draft);
  return self;
}

interface DialogAnswer {
  readonly button: object | undefined;
  readonly text: string;
}

/** Creates the Ui; throws if the execution has none. */
export function createUi(bridge: Bridge): object {
  bridge.call('Ui.open');
  const showDialog = (call: string, args: readonly unknown[]): DialogAnswer => {
    const set = memberName(args[args.length - 1]);
    const texts = args.filter((arg) => typeof arg === 'string');
    const [title, prompt] = texts.length > 1 ? texts : ['', texts[0]];
    const answer: { button?: unknown; text?: unknown } = Object(
      bridge.call(call, title, prompt, set || 'OK'),
    );
    return { button: buttons[String(answer.button)], text: String(answer.text) };
  };
  const parameterLists = ['String', `String, ${BUTTON_SET}`, `String, String, ${BUTTON_SET}`];
  const prompt = (...args: unknown[]): object => {
    const answer = showDialog('Ui.prompt', args);
    return emulateObject('Ui.PromptResponse', {
      getSelectedButton: method(() => answer.button),
      getResponseText: method(() => answer.text),
    });
  };
  return emulateObject(
    'Ui',
    {
      createMenu: method(
        (caption) => createMenu(bridge, { caption: String(caption), addon: false, items: [] }),
        'String',
      ),
      createAddonMenu: method(() => createMenu(bridge, { caption: '', addon: true, items: [] })),
      alert: method((...args) => showDialog('Ui.alert', args).button, ...parameterLists),
      prompt: method(prompt, ...parameterLists),
      showSidebar: method((output) => void bridge.call('Ui.showSidebar', pages.get(output)), HTML_OUTPUT),
    },
    { Button: buttons, ButtonSet: buttonSets },
  );
}
