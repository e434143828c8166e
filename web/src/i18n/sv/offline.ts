/** Swedish: playing without a server, and new versions of the page. */
export const offline = {
  'home.alone':
    'Ingen server går att nå. Du kan spela mot datorn eller med andra på den här enheten; dina partier sparas i webbläsaren. För att spela över internet behövs en server.',
  'new.alone': 'Utan server spelar alla på den här enheten. Bordet sparas i webbläsaren.',
  'new.here': 'Spara bordet i webbläsaren och spela utan server',
  'slow.text': 'Servern dröjer med svaret.',
  'slow.play': 'Spela utan server',
  'fair.here.open':
    'Innan det första kortet delades ut låste den här webbläsaren sin blandning med den här kontrollsumman. När partiet är slut går det att kontrollera med det sparade partiet.',
  'fair.here.kept':
    'Korten kom precis som den här webbläsaren hade bestämt i förväg. Med det sparade partiet kan vem som helst kontrollera det.',
  'fair.here.broken': 'Korten kom inte som den här webbläsaren hade bestämt i förväg. Spara partiet.',
  'mine.remove': 'Ta bort',
  'mine.remove.sure': 'Ta bort för gott',
  'update.text': 'Det finns en ny version.',
  'update.load': 'Uppdatera',
  'code.local-full':
    'Webbläsarens lagringsutrymme är fullt, så ditt drag sparades inte. Frigör utrymme och spela vidare: nästa drag sparar hela partiet.',
  'code.local-unsaved': 'Webbläsaren sparade inte ditt drag. Du kan spela vidare så länge sidan är öppen.',
  'code.local-unread': 'Webbläsaren kan inte läsa dina sparade partier just nu. Inget har ändrats; ladda om sidan.',
  'code.local-damaged': 'Det sparade partiet är skadat och kan inte fortsättas. Det har inte ändrats.',
  'code.local-newer': 'Partiet sparades av en nyare version av sidan. Ladda om sidan.',
  'code.local-blocked':
    'Ett annat fönster med den här sidan håller fortfarande dina sparade partier. Stäng det eller ladda om det och försök sedan igen.',
  'banner.replaced':
    'Ett annat fönster har spelat vidare, så spelplanen visar nu det sparade partiet. Drag som inte kunde sparas här är borta.',
  'error.server.title': 'Här finns ingen spelserver',
  'error.server.text':
    'Bordet hör till en spelserver, och ingen svarar på den här adressen. Har du fått en länk kan du kontrollera att den är hel. Sidan fortsätter att försöka.',
  'code.engine-old':
    'Webbläsaren är för gammal för att spela utan server (den saknar WebAssembly med SIMD). Använd Chrome 91, Firefox 89, Safari 16.4 eller nyare, eller spela vid ett bord på en server. Dina partier är sparade.',
  'code.engine-missing':
    'Spelprogrammet kunde inte hämtas. Gå online en gång och ladda om sidan; dina partier är sparade.',
  'code.engine-mixed': 'Spelprogrammet uppdaterades bara delvis. Ladda om sidan; dina partier är sparade.',
  'code.not-downloaded':
    'Servern svarar inte, och webbläsaren har ännu inte hämtat allt som behövs för att spela utan den.',
} as const;
