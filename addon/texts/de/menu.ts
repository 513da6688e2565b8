// German: menu, dialogs, connection and errors of the script.
export const menu = {
  'Your company’s connection is not set up correctly. Ask your admin to put a complete connection link into the script property {property}.':
    'Die Verbindung Ihres Unternehmens ist nicht richtig eingerichtet. Bitten Sie Ihren Admin, einen vollständigen Verbindungslink in die Skripteigenschaft {property} einzutragen.',
  'Your company’s connection is not set up correctly. Ask your admin to put a connection link of {gateway} into the script property {property}.':
    'Die Verbindung Ihres Unternehmens ist nicht richtig eingerichtet. Bitten Sie Ihren Admin, einen Verbindungslink von {gateway} in die Skripteigenschaft {property} einzutragen.',
  'Not connected: open Extensions → CDAPI → Open sidebar and click “Allow formulas here” to use your company’s connection.':
    'Nicht verbunden: Öffnen Sie Erweiterungen → CDAPI → Seitenleiste öffnen und klicken Sie auf „Formeln hier erlauben“, um die Verbindung Ihres Unternehmens zu nutzen.',
  'Not connected: formulas use your company’s connection only in spreadsheets that a person of your company owns. Open Extensions → CDAPI → Connect and share a connection link with this spreadsheet, or work in a copy of your own.':
    'Nicht verbunden: Formeln nutzen die Verbindung Ihres Unternehmens nur in Dateien, die jemandem aus Ihrem Unternehmen gehören. Öffnen Sie Erweiterungen → CDAPI → Verbinden und geben Sie einen Verbindungslink für diese Datei frei, oder arbeiten Sie in einer eigenen Kopie.',
  'Not connected. Paste the connection link of your admin under Activity.':
    'Nicht verbunden. Fügen Sie den Verbindungslink Ihres Admins unter „Aktivität“ ein.',
  'Not connected: open Extensions → CDAPI → Connect.':
    'Nicht verbunden: Öffnen Sie Erweiterungen → CDAPI → Verbinden.',
  'Not connected: formulas here need the owner of this spreadsheet to open Extensions → CDAPI → Connect.':
    'Nicht verbunden: Für Formeln hier muss der Eigentümer dieser Datei Erweiterungen → CDAPI → Verbinden öffnen.',
  'Not connected: formulas can’t read the connection of this spreadsheet, which is in a shared drive and has no owner. Use Extensions → CDAPI → Open sidebar instead, or move the spreadsheet to My Drive.':
    'Nicht verbunden: Formeln können die Verbindung dieser Datei nicht lesen, denn sie liegt in einer geteilten Ablage und hat keinen Eigentümer. Nutzen Sie stattdessen Erweiterungen → CDAPI → Seitenleiste öffnen, oder verschieben Sie die Datei in „Meine Ablage“.',
  'Connected for the sidebar only: for formulas open Extensions → CDAPI → Connect and share the connection with this spreadsheet.':
    'Nur für die Seitenleiste verbunden: Für Formeln öffnen Sie Erweiterungen → CDAPI → Verbinden und geben Sie die Verbindung für diese Datei frei.',
  'This is not a connection link. Copy the whole link that your admin gave you and paste it again.':
    'Das ist kein Verbindungslink. Kopieren Sie den ganzen Link, den Sie von Ihrem Admin haben, und fügen Sie ihn noch einmal ein.',
  'Your company has no connection for this add-on. Paste a connection link instead.':
    'Ihr Unternehmen hat keine Verbindung für dieses Add-on. Fügen Sie stattdessen einen Verbindungslink ein.',
  'The connection can’t be saved here. Open the spreadsheet itself and choose Extensions → CDAPI → Connect there.':
    'Die Verbindung kann hier nicht gespeichert werden. Öffnen Sie die Datei selbst und wählen Sie dort Erweiterungen → CDAPI → Verbinden.',
  'This link leads to {url}, but this add-on works with {gateway} only. Ask your admin which add-on to use.':
    'Dieser Link führt zu {url}, aber dieses Add-on arbeitet nur mit {gateway}. Fragen Sie Ihren Admin, welches Add-on Sie nutzen sollen.',
  'The gateway’s answer could not be read. Try again. If it happens again, tell your admin.':
    'Die Antwort des Gateways war nicht lesbar. Versuchen Sie es noch einmal. Wenn es wieder passiert, sagen Sie es Ihrem Admin.',
  'A web page answered instead of the gateway, usually the bot protection of its domain. Ask your admin to exempt the gateway: the deployment guide says how, under “Custom domain”.':
    'Statt des Gateways hat eine Webseite geantwortet, meist der Bot-Schutz seiner Domain. Bitten Sie Ihren Admin, das Gateway davon auszunehmen: Die Anleitung zum Deployment zeigt es unter „Custom domain“.',
  'Google allows fewer calls in a short time. Wait a minute, then choose Extensions → CDAPI → Refresh selection.':
    'Google erlaubt weniger Aufrufe in kurzer Zeit. Warten Sie eine Minute und wählen Sie dann Erweiterungen → CDAPI → Auswahl aktualisieren.',
  'Google’s daily limit of calls is used up. Try again tomorrow. Google says: “{reason}”':
    'Das Tageslimit von Google für Aufrufe ist aufgebraucht. Versuchen Sie es morgen noch einmal. Google meldet: „{reason}“',
  "The gateway {url} can't be reached. Check the connection and try again. Google says: “{reason}”":
    'Das Gateway {url} ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es noch einmal. Google meldet: „{reason}“',
  'This setting can’t be saved here. Open the spreadsheet itself and change it there.':
    'Diese Einstellung kann hier nicht gespeichert werden. Öffnen Sie die Datei selbst und ändern Sie sie dort.',
  'Something went wrong in the add-on: “{reason}”. Try again. If it happens again, tell your admin.':
    'Im Add-on ist ein Fehler aufgetreten: „{reason}“. Versuchen Sie es noch einmal. Wenn es wieder passiert, sagen Sie es Ihrem Admin.',
  'Tables can’t be saved here. Open the spreadsheet itself and try again there.':
    'Tabellen können hier nicht gespeichert werden. Öffnen Sie die Datei selbst und versuchen Sie es dort noch einmal.',
  'This spreadsheet’s storage is full. Under Tables, stop tracking tables that you no longer need, then try again.':
    'Der Speicher dieser Datei ist voll. Beenden Sie unter „Tabellen“ die Verwaltung von Tabellen, die Sie nicht mehr brauchen, und versuchen Sie es dann noch einmal.',
  'Google could not save this spreadsheet’s tables. Try again in a minute.':
    'Google konnte die Tabellen dieser Datei nicht speichern. Versuchen Sie es in einer Minute noch einmal.',
  'Connect to an external service': 'Verbindung mit einem externen Dienst herstellen',
  'View and manage spreadsheets that this application has been installed in':
    'Tabellen ansehen und verwalten, in denen diese App installiert wurde',
  'Display and run third-party web content in prompts and sidebars inside Google applications':
    'Webinhalte Dritter in Aufforderungen und Seitenleisten innerhalb von Google-Apps anzeigen und ausführen',
  'Allow this application to run when you are not present':
    'Dieser App die Ausführung in Ihrer Abwesenheit erlauben',
  'CDAPI lacks a permission that it needs.': 'CDAPI fehlt eine Berechtigung.',
  'CDAPI lacks the permission “{label}”.': 'CDAPI fehlt die Berechtigung „{label}“.',
  'If this browser is signed in to several Google accounts, first open this spreadsheet in a private window with one account. Otherwise open myaccount.google.com/connections, remove CDAPI, reload this spreadsheet, choose Extensions → CDAPI → Open sidebar and tick every box.':
    'Wenn dieser Browser bei mehreren Google-Konten angemeldet ist, öffnen Sie die Datei zuerst in einem privaten Fenster mit nur einem Konto. Öffnen Sie sonst myaccount.google.com/connections, entfernen Sie CDAPI, laden Sie diese Datei neu, wählen Sie Erweiterungen → CDAPI → Seitenleiste öffnen und setzen Sie alle Häkchen.',
  'Connect to CDAPI': 'Mit CDAPI verbinden',
  'Disconnect from CDAPI': 'Von CDAPI trennen',
  'The data is for your company’s own use: do not sell it, publish it or pass copies on.':
    'Die Daten sind für den Gebrauch im eigenen Unternehmen: nicht verkaufen, nicht veröffentlichen, keine Kopien weitergeben.',
  'Paste the connection link that your admin gave you.':
    'Fügen Sie den Verbindungslink ein, den Sie von Ihrem Admin haben.',
  'You disconnected from CDAPI. Connect through your Google account again?':
    'Sie haben die Verbindung zu CDAPI getrennt. Wieder über Ihr Google-Konto verbinden?',
  'Yes: your sidebar works in all spreadsheets, and nothing needs to be pasted.\nNo: paste a connection link.':
    'Ja: Ihre Seitenleiste funktioniert in allen Dateien, Sie müssen nichts einfügen.\nNein: einen Verbindungslink einfügen.',
  'Your sidebar connects through your Google account again.':
    'Ihre Seitenleiste verbindet sich wieder über Ihr Google-Konto.',
  'This spreadsheet is disconnected. Use your company’s connection here again?':
    'Diese Datei ist getrennt. Die Verbindung Ihres Unternehmens hier wieder nutzen?',
  'Yes: formulas work here, and every editor spends from the company’s budget.\nNo: paste another connection link.':
    'Ja: Formeln funktionieren hier, und alle Bearbeiter geben aus dem Budget des Unternehmens aus.\nNein: eine andere Verbindung einfügen.',
  'This spreadsheet uses your company’s connection again.':
    'Diese Datei nutzt wieder die Verbindung Ihres Unternehmens.',
  '{credits} a day': '{credits} am Tag',
  credit: 'Credit',
  credits: 'Credits',
  '{credits} a month': '{credits} im Monat',
  '{team} has no limit of credits': '{team} hat kein Ausgabenlimit',
  '{team} may spend {caps}': '{team} darf {caps} ausgeben',
  ' and ': ' und ',
  '{limit}; {credits} is left.': '{limit}; {credits} ist übrig.',
  '{limit}; {credits} are left.': '{limit}; {credits} sind übrig.',
  'Your admin has switched spending off. Records your team already bought still work.':
    'Ihr Admin hat Ausgaben ausgeschaltet. Datensätze, die Ihr Team schon gekauft hat, bleiben nutzbar.',
  'Its sample records are fictional.': 'Die Beispieldaten sind erfunden.',
  'Share this connection with everybody who edits this spreadsheet?':
    'Diese Verbindung für alle freigeben, die diese Datei bearbeiten?',
  'Yes: formulas work here, and every editor then spends from the budget of {team}.\nNo: only you are connected, in the sidebar. Formulas stay unconnected.':
    'Ja: Formeln funktionieren hier, und alle Bearbeiter geben dann aus dem Budget von {team} aus.\nNein: Nur Sie sind verbunden, in der Seitenleiste. Formeln bleiben ohne Verbindung.',
  'If formulas here still say “Not connected”, use Extensions → CDAPI → Open sidebar, or move the spreadsheet to My Drive: it is in a shared drive and has no owner whose connection formulas could use.':
    'Wenn Formeln hier weiter „Not connected“ zeigen, nutzen Sie Erweiterungen → CDAPI → Seitenleiste öffnen, oder verschieben Sie die Datei in „Meine Ablage“: Sie liegt in einer geteilten Ablage und hat keinen Eigentümer, dessen Verbindung Formeln nutzen könnten.',
  'If formulas here still say “Not connected”, its owner must connect once in the same way: formulas run with the owner’s connection.':
    'Wenn Formeln hier weiter „Not connected“ zeigen, muss der Eigentümer sich einmal genauso verbinden: Formeln laufen mit seiner Verbindung.',
  'If formulas here still say “Not connected”, its owner, {address}, must connect once in the same way: formulas run with the owner’s connection.':
    'Wenn Formeln hier weiter „Not connected“ zeigen, muss der Eigentümer, {address}, sich einmal genauso verbinden: Formeln laufen mit seiner Verbindung.',
  'This spreadsheet is connected. Put a website into A2 and =CDAPI_ENRICH(A2) beside it. A company that your team has not bought yet costs {credits} credits.':
    'Diese Datei ist verbunden. Schreiben Sie eine Website in A2 und =CDAPI_ENRICH(A2) daneben. Ein Unternehmen, das Ihr Team noch nicht gekauft hat, kostet {credits} Credits.',
  'You are connected. This spreadsheet has its own connection, which is used here instead.':
    'Sie sind verbunden. Diese Datei hat eine eigene Verbindung, die hier stattdessen genutzt wird.',
  'You are connected: open Extensions → CDAPI → Open sidebar. Formulas stay unconnected until a connection is shared with the spreadsheet.':
    'Sie sind verbunden: Öffnen Sie Erweiterungen → CDAPI → Seitenleiste öffnen. Formeln bleiben ohne Verbindung, bis eine für die Datei freigegeben wird.',
  'You are connected through your Google account, in the sidebar. Formulas need a connection link that is shared with this spreadsheet.':
    'Sie sind über Ihr Google-Konto verbunden, in der Seitenleiste. Formeln brauchen einen Verbindungslink, der für diese Datei freigegeben ist.',
  'You are connected through your company: nothing needs to be pasted. A link of your own takes precedence.':
    'Sie sind über Ihr Unternehmen verbunden: Sie müssen nichts einfügen. Ein eigener Link hat Vorrang.',
  'Disconnect this spreadsheet for everybody? Formulas keep their values but stop working.':
    'Diese Datei für alle trennen? Formeln behalten ihre Werte, funktionieren aber nicht mehr.',
  'This spreadsheet is disconnected. If formulas still work, its owner must disconnect too.':
    'Diese Datei ist getrennt. Wenn Formeln weiter funktionieren, muss auch der Eigentümer sich trennen.',
  'Disconnect your sidebar, in all spreadsheets?': 'Ihre Seitenleiste trennen, in allen Dateien?',
  'You are disconnected.': 'Sie sind getrennt.',
  'Disconnect your sidebar from your Google account, in all spreadsheets?':
    'Ihre Seitenleiste von Ihrem Google-Konto trennen, in allen Dateien?',
  'You are disconnected. Extensions → CDAPI → Connect brings the connection back.':
    'Sie sind getrennt. Erweiterungen → CDAPI → Verbinden stellt die Verbindung wieder her.',
  'Stop using your company’s connection in this spreadsheet, for everybody? Formulas keep their values but stop working.':
    'Die Verbindung Ihres Unternehmens in dieser Datei nicht mehr nutzen, für alle? Formeln behalten ihre Werte, funktionieren aber nicht mehr.',
  'This spreadsheet no longer uses your company’s connection. Extensions → CDAPI → Connect brings it back. If formulas still work, the owner must disconnect too.':
    'Diese Datei nutzt die Verbindung Ihres Unternehmens nicht mehr. Erweiterungen → CDAPI → Verbinden stellt sie wieder her. Wenn Formeln weiter funktionieren, muss auch der Eigentümer sich trennen.',
  'Your own connection is deleted. You now use your company’s connection.':
    'Ihre eigene Verbindung ist gelöscht. Sie nutzen jetzt die Ihres Unternehmens.',
  'Nothing is connected here.': 'Hier ist nichts verbunden.',
  '=CDAPI_ENRICH(A2:A100; "name, industry") gives company data for a column of websites, in one call. Type =CDAPI in a cell to see the other formulas; each says what it needs. In another spreadsheet, formulas show #NAME? until you open Extensions → CDAPI → Open sidebar there once.':
    '=CDAPI_ENRICH(A2:A100; "name, industry") liefert Firmendaten für eine Spalte mit Websites, in einem Aufruf. Tippen Sie =CDAPI in eine Zelle, um die anderen Formeln zu sehen; jede sagt, was sie braucht. In einer anderen Datei zeigen Formeln #NAME?, bis Sie dort einmal Erweiterungen → CDAPI → Seitenleiste öffnen wählen.',
  'Records your team already bought are free, however often the sheet recalculates. =CDAPI_COST(A2:A100) shows the price of a column before you buy it.':
    'Datensätze, die Ihr Team schon gekauft hat, sind kostenlos, wie oft das Blatt auch neu rechnet. =CDAPI_COST(A2:A100) zeigt den Preis einer Spalte, bevor Sie sie kaufen.',
  '#PENDING rows are still being fetched: Refresh selection completes them without paying twice. Freeze to values turns formulas into their values.':
    'Zeilen mit #PENDING werden noch geholt: „Auswahl aktualisieren“ vervollständigt sie, ohne doppelt zu zahlen. „In Werte umwandeln“ ersetzt Formeln durch ihre Werte.',
  'To connect, paste the link of your admin: Extensions → CDAPI → Connect.':
    'Zum Verbinden fügen Sie den Link Ihres Admins ein: Erweiterungen → CDAPI → Verbinden.',
  formula: 'Formel',
  formulas: 'Formeln',
  'Formulas such as =CDAPI_ENRICH(A2) now work in this spreadsheet, for everybody who edits it. If cells still show #NAME?, reload the spreadsheet.':
    'Formeln wie =CDAPI_ENRICH(A2) funktionieren jetzt in dieser Datei, für alle, die sie bearbeiten. Wenn Zellen noch #NAME? zeigen, laden Sie die Datei neu.',
  'There is no CDAPI formula in the selection. Select the cell with the formula itself, not the cells that it fills.':
    'In der Auswahl ist keine CDAPI-Formel. Wählen Sie die Zelle mit der Formel selbst, nicht die Zellen, die sie füllt.',
  '{formulas} became values.': '{formulas} in Werte umgewandelt.',
  'Undo brings formulas back.': '„Rückgängig“ bringt Formeln zurück.',
  '{formulas} stayed: they are still loading or show an error.':
    '{formulas} geblieben: Sie laden noch oder zeigen einen Fehler.',
  'There is no CDAPI formula in this sheet.': 'In diesem Blatt ist keine CDAPI-Formel.',
  'Turn {formulas} in the selection into their current values? The cells won’t change or cost credits any more. Other formulas stay.':
    '{formulas} in der Auswahl in ihre jetzigen Werte umwandeln? Die Zellen ändern sich dann nicht mehr und kosten keine Credits mehr. Andere Formeln bleiben.',
  'Turn {formulas} in this sheet into their current values? The cells won’t change or cost credits any more. Other formulas stay.':
    '{formulas} in diesem Blatt in ihre jetzigen Werte umwandeln? Die Zellen ändern sich dann nicht mehr und kosten keine Credits mehr. Andere Formeln bleiben.',
  'The price isn’t known: they buy what your team hasn’t bought, up to their max_credits.':
    'Der Preis ist nicht bekannt: Sie kaufen, was Ihr Team noch nicht gekauft hat, bis zu ihrem max_credits.',
  'It costs up to {credits}.': 'Das kostet bis zu {credits}.',
  'Run {formulas} again?': '{formulas} noch einmal ausführen?',
  '{formulas} run again. Records your team already bought are free.':
    '{formulas} noch einmal ausgeführt. Datensätze, die Ihr Team schon gekauft hat, sind kostenlos.',
  'When this spreadsheet opens, complete #PENDING rows and write new rows automatically? Edits and inserted rows also fill tables that are kept filled. It runs in your name and buys nothing twice.':
    'Beim Öffnen dieser Datei automatisch Zeilen mit #PENDING vervollständigen und neue Zeilen schreiben? Auch Änderungen und eingefügte Zeilen füllen dann Tabellen, die automatisch gefüllt werden. Das läuft in Ihrem Namen und kauft nichts doppelt.',
  'This is on for you in this spreadsheet: when it opens, #PENDING rows are completed and new rows are written, and edits and inserted rows fill tables that are kept filled. Switch it off?':
    'Für Sie ist das in dieser Datei eingeschaltet: Beim Öffnen werden Zeilen mit #PENDING vervollständigt und neue Zeilen geschrieben, und Änderungen und eingefügte Zeilen füllen Tabellen, die automatisch gefüllt werden. Ausschalten?',
  'Google asks for a permission next. Allow it, then choose Extensions → CDAPI → Complete rows on opening again.':
    'Google fragt gleich nach einer Berechtigung. Erlauben Sie sie und wählen Sie dann noch einmal Erweiterungen → CDAPI → Zeilen beim Öffnen vervollständigen.',
  'Switched off.': 'Ausgeschaltet.',
  'Switched on. It runs the next time this spreadsheet opens.':
    'Eingeschaltet. Es läuft, wenn diese Datei das nächste Mal geöffnet wird.',
  '{cell} shows {error}:': '{cell} zeigt {error}:',
  'Freeze to values': 'In Werte umwandeln',
  'Refresh selection': 'Auswahl aktualisieren',
  'Complete rows on opening': 'Zeilen beim Öffnen vervollständigen',
  'Use formulas here': 'Formeln hier nutzen',
  'Open sidebar': 'Seitenleiste öffnen',
  Connect: 'Verbinden',
  Disconnect: 'Trennen',
  Selection: 'Auswahl',
  'This sheet': 'Dieses Blatt',
  Help: 'Hilfe',
  'There is no sheet “{name}” any more.': 'Es gibt kein Blatt „{name}“ mehr.',
  'This spreadsheet has reached Google’s limit of cells. Delete rows or sheets that you no longer need, or open a new spreadsheet.':
    'Diese Datei hat das Zellenlimit von Google erreicht. Löschen Sie Zeilen oder Blätter, die Sie nicht mehr brauchen, oder öffnen Sie eine neue Datei.',
  '{cells} in {sheet}': '{cells} in {sheet}',
  '{where} is protected and you may not edit it. Ask its owner, or write to another place. Nothing was changed.':
    '{where} ist geschützt, und Sie dürfen dort nichts ändern. Fragen Sie den Eigentümer, oder schreiben Sie an eine andere Stelle. Nichts wurde geändert.',
  '{cells} in {sheet} are merged cells. Unmerge them or choose another place. Nothing was changed.':
    '{cells} in {sheet} sind verbundene Zellen. Heben Sie die Verbindung auf, oder wählen Sie eine andere Stelle. Nichts wurde geändert.',
  '{cells} in {sheet} allows only certain values. Remove the rule under Data → Data validation, or choose another place. Nothing was changed.':
    '{cells} in {sheet} erlaubt nur bestimmte Werte. Entfernen Sie die Regel unter Daten → Datenvalidierung, oder wählen Sie eine andere Stelle. Nichts wurde geändert.',
  '{cells} in {sheet} holds a CDAPI formula. Freeze it to values, or choose another place; nothing was changed.':
    '{cells} in {sheet} enthält eine CDAPI-Formel. Wandeln Sie sie in Werte um, oder wählen Sie eine andere Stelle. Nichts wurde geändert.',
  'More: {url}': 'Mehr: {url}',
} as const;
