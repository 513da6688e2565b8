// Starts the page.
import { render } from 'preact';
import { App } from './app.tsx';

const root = document.getElementById('app');
if (root === null) throw new Error('The page has no #app.');
render(<App />, root);
