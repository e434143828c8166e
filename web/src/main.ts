import '@fontsource-variable/alegreya/wght.css';
import '@fontsource/im-fell-english-sc/latin-400.css';
import './design/base.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { startOffline } from './app/offline.svelte.ts';
import { adopt, applyTheme, onOtherWindow } from './app/settings.svelte.ts';
import { startLanguage } from './i18n/i18n.svelte.ts';

/** Where the page has already said that this browser is too old, it is left at that. */
const old = document.documentElement.classList.contains('old');
const target = old ? null : document.getElementById('app');
applyTheme();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
matchMedia('print').addEventListener('change', applyTheme);
matchMedia('(prefers-contrast: more)').addEventListener('change', applyTheme);
onOtherWindow(() => {
  adopt();
  applyTheme();
  void startLanguage();
});
void begin();

async function begin(): Promise<void> {
  await startLanguage();
  if (!target) return;
  target.replaceChildren();
  mount(App, { target });
  startOffline();
}
