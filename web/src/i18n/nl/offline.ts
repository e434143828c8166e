/** Words about playing without a server, and about new versions of the page. */
export const offline = {
  'home.alone': 'Vanaf deze pagina is geen server bereikbaar. Je kunt tegen de computer spelen en met anderen op dit apparaat; je spellen blijven in deze browser. Tafels met mensen elders hebben een server nodig.',
  'new.alone': 'Zonder server zitten alle spelers aan dit apparaat. De tafel blijft in deze browser.',
  'new.here': 'Bewaar deze tafel in deze browser, zodat er zonder server gespeeld kan worden',
  'update.text': 'Er is een nieuwe versie van deze pagina.',
  'update.load': 'Laden',
  'code.local-full': 'De opslag van deze browser is vol, dus deze zet is niet bewaard. Maak ruimte en speel verder: de volgende zet bewaart het hele spel.',
  'code.local-unsaved': 'Deze browser heeft deze zet niet bewaard. Het spel gaat verder zolang deze pagina open blijft.',
  'code.local-unread': 'Deze browser kan zijn bewaarde spellen nu niet lezen. Er is niets veranderd; laad de pagina opnieuw.',
  'code.local-damaged': 'Dit bewaarde spel is beschadigd en kan niet verder gespeeld worden. Het is gelaten zoals het is.',
  'code.local-newer': 'Dit spel is bewaard door een nieuwere versie van de pagina. Laad de pagina opnieuw.',
  'code.engine-old': 'Deze browser kan de engine niet uitvoeren (WebAssembly met SIMD): gebruik Chrome 91, Firefox 89, Safari 16.4 of nieuwer, of een tafel op een server. Je spellen zijn veilig.',
  'code.engine-missing': 'De engine kan niet geladen worden. Ga één keer online en laad de pagina opnieuw; je spellen zijn veilig.',
  'code.engine-mixed': 'De delen van de engine zijn van verschillende versies. Laad de pagina opnieuw; je spellen zijn veilig.',
};
