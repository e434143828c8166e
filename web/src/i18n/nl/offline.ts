/** Dutch: playing without a server, and new versions of the page. */
export const offline = {
  'home.alone':
    'Er is geen server bereikbaar. Je kunt tegen de computer spelen of met anderen op dit apparaat; je partijen worden in deze browser bewaard. Voor partijen via internet heb je een server nodig.',
  'new.alone': 'Zonder server speelt iedereen op dit apparaat. De tafel wordt in deze browser bewaard.',
  'new.here': 'Tafel in deze browser bewaren en zonder server spelen',
  'slow.text': 'De server laat op zich wachten.',
  'slow.play': 'Zonder server spelen',
  'fair.here.open':
    'Voordat de eerste kaart werd gedeeld, heeft deze browser de volgorde van de kaarten met deze controlecode vastgelegd. Na afloop is dat met de bewaarde partij na te rekenen.',
  'fair.here.kept':
    'De kaarten kwamen precies zoals deze browser vooraf had vastgelegd. Met de bewaarde partij kan iedereen dat narekenen.',
  'fair.here.broken': 'De kaarten kwamen niet zoals deze browser vooraf had vastgelegd. Bewaar de partij.',
  'mine.remove': 'Verwijderen',
  'mine.remove.sure': 'Voorgoed verwijderen',
  'update.text': 'Er is een nieuwe versie beschikbaar.',
  'update.load': 'Bijwerken',
  'code.local-full':
    'De opslag van deze browser is vol, dus je zet is niet bewaard. Maak ruimte vrij en speel verder: je volgende zet bewaart de hele partij.',
  'code.local-unsaved': 'Deze browser heeft je zet niet bewaard. Je kunt verder spelen zolang deze pagina open blijft.',
  'code.local-unread':
    'Deze browser kan de bewaarde partijen nu niet lezen. Er is niets veranderd; laad de pagina opnieuw.',
  'code.local-damaged': 'Deze bewaarde partij is beschadigd en kan niet worden voortgezet. Er is niets aan veranderd.',
  'code.local-newer': 'Deze partij is bewaard met een nieuwere versie van de pagina. Laad de pagina opnieuw.',
  'code.local-blocked':
    'Een ander venster van deze pagina houdt je bewaarde partijen nog vast. Sluit het of laad het opnieuw en probeer het dan nog eens.',
  'banner.replaced':
    'Een ander venster heeft verder gespeeld, daarom toont het bord nu de bewaarde partij. Zetten die hier niet bewaard konden worden, zijn verloren.',
  'error.server.title': 'Hier is geen spelserver',
  'error.server.text':
    'Deze tafel hoort bij een spelserver, en op dit adres antwoordt er geen. Heb je een link gekregen, kijk dan of hij volledig is. De pagina blijft het proberen.',
  'code.engine-old':
    'Deze browser is te oud om zonder server te spelen (WebAssembly met SIMD ontbreekt). Gebruik Chrome 91, Firefox 89, Safari 16.4 of nieuwer, of speel aan een tafel op een server. Je partijen zijn bewaard.',
  'code.engine-missing':
    'Het spelprogramma kon niet worden geladen. Ga één keer online en laad de pagina opnieuw; je partijen zijn bewaard.',
  'code.engine-mixed':
    'Het spelprogramma is maar gedeeltelijk bijgewerkt. Laad de pagina opnieuw; je partijen zijn bewaard.',
  'code.not-downloaded':
    'De server antwoordt niet, en deze browser heeft nog niet alles geladen om zonder server te spelen.',
} as const;
