"""Mail: a link to confirm an address, and what happened at one's tables, at most once an hour."""

import asyncio
import re
import smtplib
import ssl
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from email import policy
from email.message import EmailMessage
from email.utils import formatdate
from typing import Final
from urllib.parse import quote, unquote, urlencode, urlsplit

from ..settings import Settings
from .outbox import ContactRow, Contacts, Row

SECONDS: Final = 20.0
PERMANENT: Final = range(500, 600)
LONG_LINES: Final = policy.default.clone(max_line_length=900)
"""Longer lines would become encoded words, in which no program looks for the link to unsubscribe."""
WORD: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
ADDRESS: Final = re.compile(rf"{WORD}(?:\.{WORD})*@(?:{LABEL}\.)+(?!\d+$){LABEL}")
"""A quoted name could be written in very many ways, and a number of a host may belong to the host's own network."""
Words = dict[str, str]
WORDS: Final[dict[str, Words]] = {
    "en": {
        "confirm.subject": "Confirm your address for Cartagena",
        "confirm": "Confirm that you want messages about a table of Cartagena at this address:",
        "ignore": "If you did not ask for this, do nothing: you will get no more mail.",
        "turn.subject": "It is your turn", "news.subject": "News from your tables",
        "late.subject": "Twelve hours are left for your turn", "late": "Twelve hours are left for your turn:",
        "turn": "It is your turn:", "over": "The game is over:",
        "rematch": "You are invited to another game:", "rematch.subject": "You are invited to another game",
        "talk": "There is a new message:", "stop": "No more mail to this address:",
        "confirm.page": "Do you want messages about your table at this address?", "confirm.button": "Confirm",
        "stop.page": "Send no more mail to this address?", "stop.button": "Unsubscribe",
        "confirmed": "Thank you, the address is confirmed.", "stopped": "No more mail will come to this address.",
        "unknown": "This link is no longer valid.",
    },
    "de": {
        "confirm.subject": "Bestätige deine Adresse für Cartagena",
        "confirm": "Bestätige, dass du an dieser Adresse Nachrichten über einen Tisch von Cartagena möchtest:",
        "ignore": "Wenn du das nicht wolltest, tu nichts: Es kommt keine weitere Mail.",
        "turn.subject": "Du bist am Zug", "news.subject": "Neues von deinen Tischen",
        "late.subject": "Noch zwölf Stunden für deinen Zug", "late": "Noch zwölf Stunden für deinen Zug:",
        "turn": "Du bist am Zug:", "over": "Die Partie ist zu Ende:",
        "rematch": "Du bist zu einer weiteren Partie eingeladen:",
        "rematch.subject": "Du bist zu einer weiteren Partie eingeladen",
        "talk": "Es gibt eine neue Nachricht:", "stop": "Keine Mails mehr an diese Adresse:",
        "confirm.page": "Möchtest du an dieser Adresse Nachrichten über deinen Tisch bekommen?",
        "confirm.button": "Bestätigen",
        "stop.page": "Keine Mails mehr an diese Adresse schicken?", "stop.button": "Abmelden",
        "confirmed": "Danke, die Adresse ist bestätigt.", "stopped": "An diese Adresse kommen keine Mails mehr.",
        "unknown": "Dieser Link gilt nicht mehr.",
    },
    "nl": {
        "confirm.subject": "Bevestig je adres voor Cartagena",
        "confirm": "Bevestig dat je op dit adres berichten over een tafel van Cartagena wilt krijgen:",
        "ignore": "Heb je hier niet om gevraagd, doe dan niets: er komt geen mail meer.",
        "turn.subject": "Jij bent aan de beurt", "news.subject": "Nieuws van je tafels",
        "late.subject": "Je hebt nog twaalf uur voor je beurt", "late": "Je hebt nog twaalf uur voor je beurt:",
        "turn": "Jij bent aan de beurt:", "over": "De partij is afgelopen:",
        "rematch": "Je bent uitgenodigd voor nog een partij:",
        "rematch.subject": "Je bent uitgenodigd voor nog een partij",
        "talk": "Er is een nieuw bericht:", "stop": "Geen mail meer naar dit adres:",
        "confirm.page": "Wil je op dit adres berichten over je tafel krijgen?", "confirm.button": "Bevestigen",
        "stop.page": "Geen mail meer naar dit adres sturen?", "stop.button": "Afmelden",
        "confirmed": "Bedankt, het adres is bevestigd.", "stopped": "Er komt geen mail meer naar dit adres.",
        "unknown": "Deze link is niet meer geldig.",
    },
    "sv": {
        "confirm.subject": "Bekräfta din adress för Cartagena",
        "confirm": "Bekräfta att du vill ha meddelanden om ett bord i Cartagena till den här adressen:",
        "ignore": "Om du inte har bett om det behöver du inte göra något: det kommer inga fler mejl.",
        "turn.subject": "Det är din tur", "news.subject": "Nytt från dina bord",
        "late.subject": "Du har tolv timmar kvar på din tur", "late": "Du har tolv timmar kvar på din tur:",
        "turn": "Det är din tur:", "over": "Partiet är slut:",
        "rematch": "Du är inbjuden till ett parti till:", "rematch.subject": "Du är inbjuden till ett parti till",
        "talk": "Det finns ett nytt meddelande:", "stop": "Inga fler mejl till den här adressen:",
        "confirm.page": "Vill du ha meddelanden om ditt bord till den här adressen?", "confirm.button": "Bekräfta",
        "stop.page": "Vill du inte få fler mejl till den här adressen?", "stop.button": "Avregistrera",
        "confirmed": "Tack, adressen är bekräftad.", "stopped": "Det kommer inga fler mejl till den här adressen.",
        "unknown": "Länken gäller inte längre.",
    },
    "fr": {
        "confirm.subject": "Confirmez votre adresse pour Cartagena",
        "confirm": "Confirmez que vous voulez recevoir à cette adresse des messages sur une table de Cartagena\u00a0:",
        "ignore": "Si vous n’avez rien demandé, ne faites rien\u00a0: vous ne recevrez plus rien.",
        "turn.subject": "C’est à vous de jouer", "news.subject": "Des nouvelles de vos tables",
        "late.subject": "Plus que douze heures pour jouer votre tour",
        "late": "Plus que douze heures pour jouer votre tour\u00a0:",
        "turn": "C’est à vous de jouer\u00a0:", "over": "La partie est terminée\u00a0:",
        "rematch": "On vous invite à une autre partie\u00a0:", "rematch.subject": "On vous invite à une autre partie",
        "talk": "Il y a un nouveau message\u00a0:", "stop": "Ne plus écrire à cette adresse\u00a0:",
        "confirm.page": "Voulez-vous recevoir à cette adresse des messages sur votre table\u202f?",
        "confirm.button": "Confirmer",
        "stop.page": "Ne plus rien envoyer à cette adresse\u202f?", "stop.button": "Se désabonner",
        "confirmed": "Merci, l’adresse est confirmée.", "stopped": "Plus rien ne sera envoyé à cette adresse.",
        "unknown": "Ce lien n’est plus valable.",
    },
    "es": {
        "confirm.subject": "Confirma tu dirección para Cartagena",
        "confirm": "Confirma que quieres recibir en esta dirección mensajes sobre una mesa de Cartagena:",
        "ignore": "Si no lo has pedido, no hagas nada: no llegará ningún otro correo.",
        "turn.subject": "Es tu turno", "news.subject": "Novedades de tus mesas",
        "late.subject": "Te quedan doce horas para jugar", "late": "Te quedan doce horas para jugar tu turno:",
        "turn": "Es tu turno:", "over": "La partida ha terminado:",
        "rematch": "Te invitan a otra partida:", "rematch.subject": "Te invitan a otra partida",
        "talk": "Hay un mensaje nuevo:", "stop": "No más correo a esta dirección:",
        "confirm.page": "¿Quieres recibir en esta dirección mensajes sobre tu mesa?", "confirm.button": "Confirmar",
        "stop.page": "¿Dejar de enviar correo a esta dirección?", "stop.button": "Darse de baja",
        "confirmed": "Gracias, la dirección está confirmada.", "stopped": "No llegará más correo a esta dirección.",
        "unknown": "Este enlace ya no es válido.",
    },
    "it": {
        "confirm.subject": "Conferma il tuo indirizzo per Cartagena",
        "confirm": "Conferma che vuoi ricevere a questo indirizzo messaggi su un tavolo di Cartagena:",
        "ignore": "Se non l’hai chiesto tu, non fare nulla: non arriveranno altre e-mail.",
        "turn.subject": "È il tuo turno", "news.subject": "Novità dai tuoi tavoli",
        "late.subject": "Ti restano dodici ore per giocare", "late": "Ti restano dodici ore per giocare il tuo turno:",
        "turn": "È il tuo turno:", "over": "La partita è finita:",
        "rematch": "Ti invitano a un’altra partita:", "rematch.subject": "Ti invitano a un’altra partita",
        "talk": "C’è un nuovo messaggio:", "stop": "Niente più e-mail a questo indirizzo:",
        "confirm.page": "Vuoi ricevere a questo indirizzo messaggi sul tuo tavolo?", "confirm.button": "Conferma",
        "stop.page": "Smettere di inviare e-mail a questo indirizzo?", "stop.button": "Annulla l’iscrizione",
        "confirmed": "Grazie, l’indirizzo è confermato.", "stopped": "Non arriveranno più e-mail a questo indirizzo.",
        "unknown": "Questo link non è più valido.",
    },
}  # fmt: skip
"""What mails and their pages say, by language."""


class MailRefused(Exception):
    """The mail server does not take mail to this address, and never will."""


class MailFailed(Exception):
    """The mail could not be sent now; a later try may succeed."""


def is_address(text: str) -> bool:
    """Whether a text is a plain mail address: a name without quotes, and the name of a host, not its number."""
    return ADDRESS.fullmatch(text) is not None


def owner_of(address: str) -> str:
    """The address without what its owner may add to the name, so that all of them are counted as one.

    >>> owner_of("Ann.B+cards@example.org")
    'annb@example.org'
    """
    name, _, host = address.lower().partition("@")
    return f"{name.partition('+')[0].replace('.', '')}@{host}"


class Mailer:
    """Sends mails through the host's mail server, one thread for each."""

    def __init__(self, settings: Settings, contacts: Contacts) -> None:
        self.contacts = contacts
        self.server = urlsplit(settings.smtp)
        self.url = settings.public_url.rstrip("/")
        self.sender = settings.smtp_from or f"Cartagena <noreply@{urlsplit(self.url).hostname}>"
        self.is_on = bool(settings.smtp and settings.public_url)
        self.turns = asyncio.Semaphore(4)

    def link(self, purpose: str, contact: str, proof: str) -> str:
        """The address of a page that confirms or unsubscribes."""
        return f"{self.url}/mail/{purpose}?{urlencode({'contact': contact, 'key': proof})}"

    def _message(self, to: ContactRow, subject: str, lines: Sequence[str], name: str) -> EmailMessage:
        message = EmailMessage(policy=LONG_LINES)
        message["From"], message["To"], message["Subject"] = self.sender, to.address, subject
        message["Date"] = formatdate()
        message["Message-ID"] = f"<{name}.{to.id}@{urlsplit(self.url).hostname}>"
        message["Auto-Submitted"] = "auto-generated"
        text = "\n".join(lines) + "\n"
        message.set_content(text, cte="7bit" if text.isascii() else "quoted-printable")
        return message

    async def ask(self, to: ContactRow, digest: str) -> None:
        """Ask the owner of an address to confirm it for a seat. Raises MailFailed and MailRefused."""
        words = WORDS[to.wanted.language]
        proof = self.contacts.proof("confirm", to.id, digest)
        lines = [words["confirm"], "", self.link("confirm", to.id, proof), "", words["ignore"]]
        await self.send(self._message(to, words["confirm.subject"], lines, f"confirm-{digest[:16]}"))

    async def tell(self, to: ContactRow, rows: Sequence[Row]) -> None:
        """Tell a person what happened. Raises MailFailed and MailRefused."""
        words = WORDS[to.wanted.language]
        stop = self.link("stop", to.id, self.contacts.proof("stop", to.id))
        kinds = Counter(row.kind for row in rows)
        lines: list[str] = []
        for kind in ("late", "turn", "rematch", "over", "talk"):
            if kinds[kind]:
                tables = dict.fromkeys(row.table_id for row in rows if row.kind == kind)
                lines += [words[kind], *(f"{self.url}/#/table/{quote(table)}" for table in tables), ""]
        lines += [words["stop"], stop]
        message = self._message(to, subject_of(kinds, words), lines, newest(rows).cause)
        message["List-Unsubscribe"] = f"<{stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        await self.send(message)

    async def send(self, message: EmailMessage) -> None:
        """Hand a mail to the mail server. Raises MailFailed and MailRefused."""
        async with self.turns:
            try:
                await asyncio.to_thread(self._send, message)
            except smtplib.SMTPRecipientsRefused as error:
                codes = {code for code, _ in error.recipients.values()}
                kind = MailRefused if codes and all(code in PERMANENT for code in codes) else MailFailed
                raise kind(f"the mail server answers {min(codes, default=0)}") from None
            except (OSError, smtplib.SMTPException, ValueError) as error:
                raise MailFailed(type(error).__name__) from None

    def _send(self, message: EmailMessage) -> None:
        server, secure = self.server, ssl.create_default_context()
        host, port = server.hostname or "", server.port
        if server.scheme == "smtps":
            client: smtplib.SMTP = smtplib.SMTP_SSL(host, port or 465, timeout=SECONDS, context=secure)
        else:
            client = smtplib.SMTP(host, port or 587, timeout=SECONDS)
        with client:
            client.ehlo()
            if server.scheme == "smtp" and client.has_extn("starttls"):
                client.starttls(context=secure)
                client.ehlo()
            elif server.scheme == "smtp" and server.password:
                raise smtplib.SMTPNotSupportedError("a password is sent over TLS only")
            if server.username:
                client.login(unquote(server.username), unquote(server.password or ""))
            client.send_message(message)


def subject_of(kinds: Collection[str], words: Mapping[str, str]) -> str:
    """The subject of a mail about notices of these kinds: what happened, where it is one thing."""
    [kind] = set(kinds) if len(kinds) == 1 else {"news"}
    return words.get(f"{kind}.subject") or words[kind].rstrip(":\u00a0")


def newest(rows: Sequence[Row]) -> Row:
    """The row whose cause names a message about several."""
    return max(rows, key=lambda row: (row.at, row.number, row.cause))
