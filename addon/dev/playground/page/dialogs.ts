// Alerts, prompts and toasts of a script.
import type { Button, ButtonSet, UiAnswer, UiRequest } from '../../host/types.ts';

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

/** Shows an alert or a prompt; Escape closes it without an answer. */
export function showQuestion({ kind, title, prompt, buttons }: Question): Promise<UiAnswer> {
  const dialog = document.createElement('dialog');
  const form = document.createElement('form');
  const heading = document.createElement('h2');
  const text = document.createElement('p');
  const input = document.createElement('input');
  const row = document.createElement('div');
  dialog.className = 'ask';
  heading.id = 'ask-title';
  text.id = 'ask-text';
  heading.textContent = title;
  text.textContent = prompt;
  dialog.setAttribute('aria-labelledby', title === '' ? text.id : heading.id);
  dialog.setAttribute('aria-describedby', text.id);
  input.setAttribute('aria-label', title);
  input.autocomplete = 'off';
  row.className = 'ask-buttons';
  let pressed: Button = 'CLOSE';
  const close = (button: Button): void => {
    pressed = button;
    dialog.close();
  };
  const buttonElements = BUTTONS[buttons].map((button, index) => {
    const element = document.createElement('button');
    // Enter submits the form.
    element.type = index === 0 ? 'submit' : 'button';
    element.textContent = CAPTIONS[button];
    if (index > 0) element.addEventListener('click', () => close(button));
    return element;
  });
  const [first = 'CLOSE'] = BUTTONS[buttons];
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    close(first);
  });
  row.append(...buttonElements);
  form.append(...(title === '' ? [] : [heading]), text, ...(kind === 'prompt' ? [input] : []), row);
  dialog.append(form);
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve({ button: pressed, text: input.value });
    });
    dialog.showModal();
    (kind === 'prompt' ? input : buttonElements[0])?.focus();
  });
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
