// Alerts, prompts and toasts of a script.
import type { Button, ButtonSet, UiAnswer, UiRequest } from '../../host/types.ts';
import { createElement } from './elements.ts';

type Question = Extract<UiRequest, { kind: 'alert' | 'prompt' }>;

const BUTTONS: Readonly<Record<ButtonSet, readonly Button[]>> = {
  OK: ['OK'],
  OK_CANCEL: ['OK', 'CANCEL'],
  YES_NO: ['YES', 'NO'],
  YES_NO_CANCEL: ['YES', 'NO', 'CANCEL'],
};

const CAPTIONS: Readonly<Record<Button, string>> = {
  OK: 'OK',
  CANCEL: 'Cancel',
  YES: 'Yes',
  NO: 'No',
  CLOSE: 'Close',
};

/** Default of Google Sheets. */
const TOAST_SECONDS = 5;

/**
 * Shows a dialog.
 * @param content - the first element is its name, the second one its description if it has an id
 * @param buttons - captions by value; Enter presses the first
 * @param focused - the first button by default
 * @returns the value of the pressed button; '' for Escape
 */
export function showDialog(
  content: readonly HTMLElement[],
  buttons: readonly (readonly [value: string, caption: string])[],
  focused?: HTMLElement,
): Promise<string> {
  const dialog = createElement('dialog', { className: 'ask' });
  const [name, description] = content;
  dialog.setAttribute('aria-labelledby', name?.id ?? '');
  if (description?.id) dialog.setAttribute('aria-describedby', description.id);
  const row = buttons.map(([value, textContent], at) =>
    at === 0
      ? createElement('button', { type: 'submit', value, textContent })
      : createElement('button', { type: 'button', textContent, onclick: () => dialog.close(value) }),
  );
  const bar = createElement('div', { className: 'ask-buttons' }, ...row);
  dialog.append(createElement('form', { method: 'dialog' }, ...content, bar));
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
    dialog.showModal();
    (focused ?? row[0])?.focus();
  });
}

/** Shows an alert or a prompt; Escape closes it without an answer. */
export async function showQuestion({ kind, title, prompt, buttons }: Question): Promise<UiAnswer> {
  const heading = createElement('h2', { id: 'ask-title', textContent: title });
  const text = createElement('p', { id: 'ask-text', textContent: prompt });
  const input = createElement('input', { ariaLabel: title, autocomplete: 'off' });
  const isPrompt = kind === 'prompt';
  const pressed = await showDialog(
    [...(title === '' ? [] : [heading]), text, ...(isPrompt ? [input] : [])],
    BUTTONS[buttons].map((button) => [button, CAPTIONS[button]]),
    isPrompt ? input : undefined,
  );
  return { button: BUTTONS[buttons].find((button) => button === pressed) ?? 'CLOSE', text: input.value };
}

/** Shows a message for some seconds in a live region. */
export function showToast(
  element: HTMLElement,
  { title, message, seconds }: Extract<UiRequest, { kind: 'toast' }>,
): void {
  const text = [title, message].filter((part) => part !== '').join(': ');
  element.textContent = text;
  setTimeout(
    () => {
      if (element.textContent === text) element.textContent = '';
    },
    (seconds > 0 ? seconds : TOAST_SECONDS) * 1000,
  );
}
