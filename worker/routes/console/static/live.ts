// The console's only script: it reloads the live parts of a page. Everything works without it.

/**
 * JavaScript. An element with an id and `data-live` (seconds) is replaced by its newest version while the page is visible
 * and the focus is not inside. It stops when the server no longer sends the element.
 */
export const liveScript = `
'use strict';
const update = async (id) => {
  const element = document.getElementById(id);
  if (element === null) return;
  const again = () => setTimeout(update, Number(element.dataset.live) * 1000, id);
  if (document.hidden || element.contains(document.activeElement)) return again();
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' }, redirect: 'error' });
    if (!response.ok) return again();
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const next = page.getElementById(id);
    if (next === null) return;
    element.replaceWith(document.adoptNode(next));
    if (next.dataset.live !== undefined) setTimeout(update, Number(next.dataset.live) * 1000, id);
  } catch {
    again();
  }
};
for (const { id, dataset } of document.querySelectorAll('[data-live]')) setTimeout(update, Number(dataset.live) * 1000, id);
`;
