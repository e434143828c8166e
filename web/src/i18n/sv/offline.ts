/** Words about playing without a server, and about new versions of the page. */
export const offline = {
  'home.alone': 'Ingen server kan nås från den här sidan. Du kan spela mot datorn och med andra vid den här enheten; dina spel stannar i den här webbläsaren. Bord med folk på annat håll behöver en server.',
  'new.alone': 'Utan server sitter alla spelare vid den här enheten. Bordet sparas i den här webbläsaren.',
  'new.here': 'Spara det här bordet i webbläsaren, så att det kan spelas utan servern',
  'update.text': 'En ny version av sidan är klar.',
  'update.load': 'Ladda den',
  'code.local-full': 'Webbläsarens lagring är full, så det här draget är inte sparat. Gör plats och spela vidare: nästa drag sparar hela spelet.',
  'code.local-unsaved': 'Webbläsaren sparade inte det här draget. Spelet fortsätter så länge sidan är öppen.',
  'code.local-unread': 'Webbläsaren kan inte läsa sina sparade spel just nu. Inget har ändrats; ladda sidan igen.',
  'code.local-damaged': 'Det här sparade spelet är skadat och kan inte spelas vidare. Det har lämnats som det är.',
  'code.local-newer': 'Det här spelet sparades av en nyare version av sidan. Ladda sidan igen.',
  'code.engine-old': 'Den här webbläsaren kan inte köra motorn (WebAssembly med SIMD): använd Chrome 91, Firefox 89, Safari 16.4 eller nyare, eller ett bord på en server. Dina spel är i säkerhet.',
  'code.engine-missing': 'Motorn kan inte hämtas. Gå online en gång och ladda sidan igen; dina spel är i säkerhet.',
  'code.engine-mixed': 'Motorns delar är av olika versioner. Ladda sidan igen; dina spel är i säkerhet.',
};
