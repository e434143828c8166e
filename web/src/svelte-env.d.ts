declare module '@fontsource-variable/alegreya/wght.css';
declare module '@fontsource/im-fell-english-sc/latin-400.css';
