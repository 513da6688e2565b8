// German: problems of the gateway, and mistakes in a search form.
import type { ProblemText } from '../../../shared/problems.ts';

/** What each code says, and how a run counts rows with it; compilation fails for a missing one. */
const codes = {
  'The team token is missing, unknown, expired or revoked.':
    'Das Token des Teams fehlt, ist unbekannt, abgelaufen oder widerrufen.',
  'Ask your admin for a new connection link and paste it in Extensions → CDAPI → Connect.':
    'Bitten Sie Ihren Admin um einen neuen Verbindungslink und fügen Sie ihn unter Erweiterungen → CDAPI → Verbinden ein.',
  'This token may not use this family or operation.':
    'Dieses Token darf diese Daten oder diesen Vorgang nicht nutzen.',
  'Ask your admin to widen the scopes of the token.':
    'Bitten Sie Ihren Admin, die Rechte des Tokens zu erweitern.',
  'Google’s confirmation of your account was not accepted.':
    'Die Bestätigung Ihres Kontos durch Google wurde nicht angenommen.',
  'Reload the spreadsheet and choose Extensions → CDAPI → Open sidebar again.':
    'Laden Sie die Datei neu und wählen Sie noch einmal Erweiterungen → CDAPI → Seitenleiste öffnen.',
  'Your company’s domain is not assigned to a team.':
    'Die Domain Ihres Unternehmens ist keinem Team zugeordnet.',
  'Ask your admin to assign the domain, or for a connection link.':
    'Bitten Sie Ihren Admin, die Domain zuzuordnen, oder um einen Verbindungslink.',
  'Your admin has revoked your access.': 'Ihr Admin hat Ihren Zugang widerrufen.',
  'Ask your admin to allow you again.': 'Bitten Sie Ihren Admin, Sie wieder zuzulassen.',
  'No record was found.': 'Kein Datensatz gefunden.',
  'Check the spelling, or try the website of the parent company.':
    'Prüfen Sie die Schreibweise, oder versuchen Sie die Website der Muttergesellschaft.',
  'This address does not exist.': 'Diese Adresse gibt es nicht.',
  'Check the path. The add-on’s routes start with /sheets/v1.':
    'Prüfen Sie den Pfad. Die Adressen des Add-ons beginnen mit /sheets/v1.',
  'This address does not support this method.': 'Diese Adresse erlaubt diese Methode nicht.',
  'Use a method from the Allow header.': 'Nutzen Sie eine Methode aus dem Header Allow.',
  'The record is not cached, and the call asked for cached records only.':
    'Der Datensatz ist nicht gespeichert, und der Aufruf wollte nur gespeicherte.',
  'Send the call again without only-if-cached.': 'Senden Sie den Aufruf noch einmal ohne only-if-cached.',
  'The request is too large.': 'Die Anfrage ist zu groß.',
  'Send at most 1,000 keys in one call.': 'Senden Sie höchstens 1.000 Schlüssel in einem Aufruf.',
  'The body is compressed.': 'Der Inhalt ist komprimiert.',
  'Send it without Content-Encoding.': 'Senden Sie ihn ohne Content-Encoding.',
  'This can’t be looked up.': 'Das kann nicht nachgeschlagen werden.',
  'Put one value to look up into each row, such as the website example.com.':
    'Schreiben Sie in jede Zeile einen Suchwert, zum Beispiel die Website example.com.',
  'It is uncertain which company has this name.': 'Es ist unsicher, welches Unternehmen diesen Namen hat.',
  'Put the website or id of the right one in its place.':
    'Schreiben Sie stattdessen die Website oder ID des richtigen.',
  'The request is not valid.': 'Die Anfrage ist nicht gültig.',
  'Correct the part that the message names, then send the request again.':
    'Korrigieren Sie, was die Meldung nennt, und senden Sie die Anfrage noch einmal.',
  'A field or filter name is unknown.': 'Der Name eines Felds oder Filters ist unbekannt.',
  'Correct the name. To use a field that CDAPI does not list yet, add any_fields.':
    'Korrigieren Sie den Namen. Für ein Feld, das CDAPI noch nicht kennt, fügen Sie any_fields hinzu.',
  'This name is already in use.': 'Dieser Name ist schon vergeben.',
  'Choose another name, or edit the existing entry.':
    'Wählen Sie einen anderen Namen, oder bearbeiten Sie den vorhandenen Eintrag.',
  'The limit of entries is reached.': 'Die Höchstzahl der Einträge ist erreicht.',
  'Delete entries that you no longer need.': 'Löschen Sie Einträge, die Sie nicht mehr brauchen.',
  'The price has changed since it was shown, so nothing was bought.':
    'Der Preis hat sich geändert, seit er gezeigt wurde, deshalb wurde nichts gekauft.',
  'Check the new price, then order again.': 'Prüfen Sie den neuen Preis und bestellen Sie noch einmal.',
  'Another order is already fetching some of these records.':
    'Ein anderer Auftrag holt einige dieser Datensätze schon.',
  'Order again when that order is ready. These records are then free.':
    'Bestellen Sie noch einmal, wenn er fertig ist. Diese Datensätze sind dann kostenlos.',
  'The budget for this call is used up.': 'Das Budget für diesen Aufruf ist aufgebraucht.',
  'Allow more credits for the call, or ask your admin to raise the budget.':
    'Erlauben Sie mehr Credits für den Aufruf, oder bitten Sie Ihren Admin, das Budget zu erhöhen.',
  'The call would cost more than its max_credits.': 'Der Aufruf würde mehr kosten als sein max_credits.',
  'Raise max_credits, or ask for fewer records.':
    'Erhöhen Sie max_credits, oder rufen Sie weniger Datensätze ab.',
  'Spending is switched off for this team.': 'Ausgaben sind für dieses Team ausgeschaltet.',
  'Records your team already bought are still free. Ask your admin to switch spending on.':
    'Datensätze, die Ihr Team schon gekauft hat, bleiben kostenlos. Bitten Sie Ihren Admin, Ausgaben einzuschalten.',
  'The data provider’s account has no credits left.': 'Das Konto beim Datenanbieter hat keine Credits mehr.',
  'Ask your admin to buy credits from the provider.':
    'Bitten Sie Ihren Admin, beim Anbieter Credits zu kaufen.',
  'Too many calls in a short time.': 'Zu viele Aufrufe in kurzer Zeit.',
  'Wait a few seconds and try again.': 'Warten Sie ein paar Sekunden und versuchen Sie es noch einmal.',
  'The result is not ready yet.': 'Das Ergebnis ist noch nicht fertig.',
  'Try again in a few seconds. You won’t pay twice.':
    'Versuchen Sie es in ein paar Sekunden noch einmal. Sie zahlen nicht doppelt.',
  'The data provider cannot take calls right now.': 'Der Datenanbieter nimmt gerade keine Aufrufe an.',
  'Try again in a few minutes. Nothing was charged.':
    'Versuchen Sie es in ein paar Minuten noch einmal. Nichts wurde berechnet.',
  'Part of the gateway is not responding. The data provider is not the cause.':
    'Ein Teil des Gateways antwortet nicht. Der Datenanbieter ist nicht die Ursache.',
  'Try again in a minute. Nothing is charged twice.':
    'Versuchen Sie es in einer Minute noch einmal. Nichts wird doppelt berechnet.',
  'The data provider gave no usable answer, so the call may have been charged.':
    'Der Datenanbieter hat keine brauchbare Antwort gegeben, der Aufruf wurde also vielleicht berechnet.',
  'Ask your admin to check the provider’s balance before you try again.':
    'Bitten Sie Ihren Admin, das Guthaben beim Anbieter zu prüfen, bevor Sie es noch einmal versuchen.',
  'The data provider rejected the call.': 'Der Datenanbieter hat den Aufruf abgelehnt.',
  'Ask your admin to check the provider’s API key and address.':
    'Bitten Sie Ihren Admin, API-Schlüssel und Adresse des Anbieters zu prüfen.',
  'The gateway is not fully configured.': 'Das Gateway ist nicht vollständig eingerichtet.',
  'Ask your admin to set CDAPI_BASE_URL, CDAPI_KEY and the other secrets, then deploy again.':
    'Bitten Sie Ihren Admin, CDAPI_BASE_URL, CDAPI_KEY und die anderen Secrets zu setzen und neu bereitzustellen.',
  'The spreadsheet is not shared with the service account.':
    'Die Datei ist nicht für das Dienstkonto freigegeben.',
  'Share the spreadsheet with the service account as an editor, then try again.':
    'Geben Sie die Datei für das Dienstkonto als Bearbeiter frei und versuchen Sie es noch einmal.',
  'The spreadsheet no longer exists.': 'Die Datei gibt es nicht mehr.',
  'Check the spreadsheet’s address, or write the table to another spreadsheet.':
    'Prüfen Sie die Adresse der Datei, oder schreiben Sie die Tabelle in eine andere.',
  'The rows could not be written to the sheet.': 'Die Zeilen konnten nicht in das Blatt geschrieben werden.',
  'Check the table’s headings and the cells around it, then try again.':
    'Prüfen Sie die Überschriften der Tabelle und die Zellen darum herum und versuchen Sie es noch einmal.',
  'The spreadsheet has not picked up the rows that were bought.':
    'Die Datei hat die gekauften Zeilen noch nicht abgeholt.',
  'Open the CDAPI sidebar in the spreadsheet, then resume the schedule.':
    'Öffnen Sie in der Datei die CDAPI-Seitenleiste und setzen Sie den Zeitplan fort.',
  'Your admin has stopped this schedule.': 'Ihr Admin hat diesen Zeitplan angehalten.',
  'Ask your admin before you start it again.': 'Fragen Sie Ihren Admin, bevor Sie ihn wieder starten.',
  'Google Sheets is not responding.': 'Google Sheets antwortet nicht.',
  'Try again in a few minutes. Rows are never written twice.':
    'Versuchen Sie es in ein paar Minuten noch einmal. Zeilen werden nie doppelt geschrieben.',
  'The gateway is not set up to write to closed spreadsheets.':
    'Das Gateway ist nicht dafür eingerichtet, in geschlossene Dateien zu schreiben.',
  'Ask your admin to set the secret GOOGLE_SERVICE_ACCOUNT to the key file of a service account.':
    'Bitten Sie Ihren Admin, im Secret GOOGLE_SERVICE_ACCOUNT die Schlüsseldatei eines Dienstkontos zu hinterlegen.',
  'The gateway is not set up to turn a sentence into a search.':
    'Das Gateway ist nicht dafür eingerichtet, aus einem Satz eine Suche zu machen.',
  'Fill in the form yourself, or ask your admin to configure a model.':
    'Füllen Sie das Formular selbst aus, oder bitten Sie Ihren Admin, ein Modell einzurichten.',
  'The language model did not answer.': 'Das Sprachmodell hat nicht geantwortet.',
  'Try again in a minute, or fill in the form yourself.':
    'Versuchen Sie es in einer Minute noch einmal, oder füllen Sie das Formular selbst aus.',
  'The language model gave no usable answer, so the form is unchanged.':
    'Das Sprachmodell hat keine brauchbare Antwort gegeben, deshalb bleibt das Formular unverändert.',
  'Put the sentence in other words, or fill in the form yourself.':
    'Formulieren Sie den Satz anders, oder füllen Sie das Formular selbst aus.',
  'The gateway is being restored.': 'Das Gateway wird gerade wiederhergestellt.',
  'Try again in a few minutes.': 'Versuchen Sie es in ein paar Minuten noch einmal.',
  'This record was erased and will not be fetched again.':
    'Dieser Datensatz wurde gelöscht und wird nicht wieder geholt.',
  'Remove the row. Your admin can tell you why.':
    'Entfernen Sie die Zeile. Ihr Admin kann Ihnen den Grund nennen.',
  'An unexpected error occurred in the gateway.': 'Im Gateway ist ein unerwarteter Fehler aufgetreten.',
  'Try again. If it happens again, send your admin the request id.':
    'Versuchen Sie es noch einmal. Wenn es wieder passiert, senden Sie Ihrem Admin die Anfrage-ID.',
  'The formula costs more than your team lets formulas spend without a confirmation.':
    'Die Formel kostet mehr, als Formeln Ihres Teams ohne Bestätigung ausgeben dürfen.',
  'See its price and confirm it in the CDAPI sidebar under Tables → Formulas, or write max_credits into the formula.':
    'Sehen Sie den Preis in der CDAPI-Seitenleiste unter Tabellen → Formeln und bestätigen Sie ihn dort, oder schreiben Sie max_credits in die Formel.',
  'not found': 'nicht gefunden',
  'over budget': 'über dem Budget',
  'perhaps charged': 'vielleicht berechnet',
  'not certain': 'nicht sicher',
  'not ready yet': 'noch nicht fertig',
  'rate-limited': 'gebremst',
  invalid: 'ungültig',
  unavailable: 'nicht verfügbar',
  erased: 'gelöscht',
  'to confirm': 'zu bestätigen',
} as const satisfies Record<ProblemText, string>;

/** Details of the gateway, and mistakes in a form: {@link translateMessage} finds them by their patterns. */
const messages = {
  'The gateway says: “{detail}”': 'Das Gateway meldet: „{detail}“',
  'The rows are not ready yet.': 'Die Zeilen sind noch nicht fertig.',
  'The rows were deleted after 30 days.': 'Die Zeilen wurden nach 30 Tagen gelöscht.',
  'Order the records again.': 'Bestellen Sie die Datensätze noch einmal.',
  'The query matches no records, so there is nothing to order.':
    'Die Abfrage hat keinen Treffer, es gibt also nichts zu bestellen.',
  'This saved search does not exist.': 'Diese gespeicherte Suche gibt es nicht.',
  'Check the list of saved searches.': 'Prüfen Sie die Liste der gespeicherten Suchen.',
  'This alert address does not exist.': 'Diese Adresse für Benachrichtigungen gibt es nicht.',
  'Check the list of alerts.': 'Prüfen Sie die Liste der Benachrichtigungen.',
  'The columns to fill were deleted.': 'Die zu füllenden Spalten wurden gelöscht.',
  'Undo that, then resume.': 'Machen Sie das rückgängig und setzen Sie dann fort.',
  '“{text}” is not a whole number.': '„{text}“ ist keine ganze Zahl.',
  '“{text}” is not a date. Use the form 2026-01-31.':
    '„{text}“ ist kein Datum. Nutzen Sie die Form 2026-01-31.',
  '“{text}” is not a month. Use the form 2026-01.': '„{text}“ ist kein Monat. Nutzen Sie die Form 2026-01.',
  'Choose yes or no.': 'Wählen Sie ja oder nein.',
  '“{text}” is not a website. Use one such as example.com.':
    '„{text}“ ist keine Website. Nutzen Sie eine wie example.com.',
  'There’s a mistake near “{text}”: {message}.': 'Bei „{text}“ ist ein Fehler: {message}.',
  'The start of the range is after its end.': 'Der Anfang des Bereichs liegt nach seinem Ende.',
  'The query DSL can’t express it.': 'Die Abfrage-DSL kann das nicht ausdrücken.',
} as const;

export const problems = { ...codes, ...messages } as const;
