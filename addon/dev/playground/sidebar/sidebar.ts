// The sidebar: the add-on's page in an isolated frame.
import { createElement } from '../page/elements.ts';
import type { MoveFocus } from '../page/regions.ts';
import type { FrameMessage, PageMessage } from './script-run.ts';

/** Calls a public function of the script, as google.script.run does. */
export type CallScript = (name: string, args: readonly unknown[]) => Promise<unknown>;

/** An opaque origin: runs scripts and opens links, but cannot access this page or the instance. */
const SANDBOX = 'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox';

async function handleCall(
  call: CallScript,
  { id, name, args }: FrameMessage & { kind: 'call' },
): Promise<PageMessage> {
  try {
    return { id, ok: true, value: await call(name, args) };
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    return { id, ok: false, name: failure.name, message: failure.message };
  }
}

/**
 * Shows the sidebar and its toggle button.
 * @param panel - container beside the grid
 * @param button - its `aria-expanded` reflects the state
 * @param moveFocus - moves the focus out of the sidebar
 * @returns a function that reloads and shows the sidebar
 */
export function openSidebar(
  panel: HTMLElement,
  button: HTMLElement,
  call: CallScript,
  moveFocus: MoveFocus,
): () => void {
  const show = (shown: boolean): void => {
    panel.hidden = !shown;
    button.setAttribute('aria-expanded', String(shown));
    // Reloads the page on every opening, as in Sheets.
    panel.replaceChildren(...(shown ? [createFrame()] : []));
  };
  const createFrame = (): HTMLIFrameElement => {
    const element = createElement('iframe', { title: 'CDAPI', src: 'sidebar' });
    element.setAttribute('sandbox', SANDBOX);
    element.onload = () => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }: MessageEvent<FrameMessage>) => {
        if (data.kind === 'close') show(false);
        else if (data.kind === 'leave') moveFocus(data.toward);
        else void handleCall(call, data).then((reply) => port1.postMessage(reply));
      };
      // The frame's origin is opaque.
      element.contentWindow?.postMessage('google.script', '*', [port2]);
    };
    return element;
  };
  button.hidden = false;
  button.addEventListener('click', () => show(panel.hidden === true));
  show(true);
  return () => show(true);
}
