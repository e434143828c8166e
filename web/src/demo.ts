import './design/base.css';
import '@fontsource-variable/alegreya/wght.css';
import '@fontsource/im-fell-english-sc/latin-400.css';
import { mount } from 'svelte';
import Demo from './Demo.svelte';
mount(Demo, { target: document.getElementById('app')! });
