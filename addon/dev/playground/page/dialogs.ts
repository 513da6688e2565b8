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
export function ask({ kind, title, prompt, buttons }: Question): Promise<UiAnswer> {
  const dialog = document.createElement('dialog');
  const form = document.createElement('form');
  const heading = document.createElement('h2');
  const words = document.createElement('p');
  const input = document.createElement('input');
  const row = document.createElement('div');
  dialog.className = 'ask';
  heading.id = 'ask-title';
  words.id = 'ask-words';
  heading.textContent = title;
  words.textContent = prompt;
  dialog.setAttribute('aria-labelledby', title === '' ? words.id : heading.id);
  dialog.setAttribute('aria-describedby', words.id);
  input.setAttribute('aria-label', title);
  input.autocomplete = 'off';
  row.className = 'ask-buttons';
  let answered: Button = 'CLOSE';
  const close = (button: Button): void => {
    answered = button;
    dialog.close();
  };
  const shown = BUTTONS[buttons].map((button, at) => {
    const made = document.createElement('button');
    // Enter submits the form.
    made.type = at === 0 ? 'submit' : 'button';
    made.textContent = CAPTIONS[button];
    if (at > 0) made.addEventListener('click', () => close(button));
    return made;
  });
  const [first = 'CLOSE'] = BUTTONS[buttons];
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    close(first);
  });
  row.append(...shown);
  form.append(...(title === '' ? [] : [heading]), words, ...(kind === 'prompt' ? [input] : []), row);
  dialog.append(form);
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve({ button: answered, text: input.value });
    });
    dialog.showModal();
    (kind === 'prompt' ? input : shown[0])?.focus();
  });
}

/** Shows a message for some seconds in a live region. */
export function toast(
  place: HTMLElement,
  { title, message, seconds }: Extract<UiRequest, { kind: 'toast' }>,
): void {
  const words = [title, message].filter((text) => text !== '').join(': ');
  place.textContent = words;
  setTimeout(
    () => {
      if (place.textContent === words) place.textContent = '';
    },
    (seconds > 0 ? seconds : TOAST_SECONDS) * 1000,
  );
}
