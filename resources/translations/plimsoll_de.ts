<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>GraphCaption</name>
    <message>
        <source>Beside %1</source>
        <translation>Neben %1</translation>
    </message>
    <message>
        <source>Within %1 hops of %2</source>
        <translation>Höchstens %1 Schritte um %2</translation>
    </message>
    <message>
        <source>What %1 comes from</source>
        <translation>Woraus %1 entsteht</translation>
    </message>
    <message>
        <source>What uses %1</source>
        <translation>Was %1 verwendet</translation>
    </message>
    <message>
        <source>From %1 to %2</source>
        <translation>Von %1 nach %2</translation>
    </message>
    <message>
        <source>Filter %1</source>
        <translation>Filter %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>From %1 to …</source>
        <translation>Von %1 nach …</translation>
    </message>
    <message>
        <source>from here</source>
        <translation>von hier</translation>
    </message>
    <message>
        <source>  ·  %1 boxes</source>
        <translation>  ·  %1 Kästen</translation>
    </message>
    <message>
        <source>  ·  0: whole graph</source>
        <translation>  ·  0: ganzer Graph</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>%1 B</source>
        <translation>%1 B</translation>
    </message>
    <message>
        <source>time of the kernels</source>
        <translation>Zeit der Kernel</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>this plan</source>
        <translation>dieser Plan</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>the fastest</source>
        <translation>die schnellste</translation>
    </message>
    <message>
        <source>%1 slower than the fastest</source>
        <translation>%1 langsamer als die schnellste</translation>
    </message>
    <message>
        <source>peak beside this plan: %1</source>
        <translation>Spitze gegenüber diesem Plan: %1</translation>
    </message>
    <message>
        <source>the caller has %1</source>
        <translation>der Aufrufer hat %1</translation>
    </message>
    <message>
        <source>measured on this machine</source>
        <translation>auf diesem Rechner gemessen</translation>
    </message>
    <message>
        <source>times are estimated</source>
        <translation>Zeiten sind geschätzt</translation>
    </message>
    <message>
        <source>double-click or Return: plan so</source>
        <translation>Doppelklick oder Eingabe: so planen</translation>
    </message>
    <message>
        <source>Time and peak of each choice of implementations that no other beats in both. Arrow keys go from point to point; Return plans so.</source>
        <translation>Zeit und Spitze jeder Wahl von Umsetzungen, die keine andere in beidem übertrifft. Pfeiltasten gehen von Punkt zu Punkt; die Eingabetaste plant so.</translation>
    </message>
    <message>
        <source>measured: %1 ms</source>
        <translation>gemessen: %1 ms</translation>
    </message>
    <message>
        <source>, %1 in use in %2</source>
        <translation>, %1 belegt in %2</translation>
    </message>
    <message>
        <source>, which held %1</source>
        <translation>, gehalten waren %1</translation>
    </message>
    <message>
        <source>scratchpad of %1</source>
        <translation>Scratchpad von %1</translation>
    </message>
    <message>
        <source>scratchpad</source>
        <translation>Scratchpad</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>Reserved %1 at most</source>
        <translation>Reserviert höchstens %1</translation>
    </message>
    <message>
        <source>Peak %1</source>
        <translation>Spitze %1</translation>
    </message>
    <message>
        <source> of what has a size</source>
        <translation> von allem mit bekannter Größe</translation>
    </message>
    <message>
        <source>, at the lower bound</source>
        <translation>, an der unteren Schranke</translation>
    </message>
    <message>
        <source>  ·  outside the arenas %1</source>
        <translation>  ·  außerhalb der Arenen %1</translation>
    </message>
    <message>
        <source>  ·  not planned: %1</source>
        <translation>  ·  nicht geplant: %1</translation>
    </message>
    <message>
        <source>alignment</source>
        <translation>Ausrichtung</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>Auffüllung</translation>
    </message>
    <message>
        <source>same bytes</source>
        <translation>dieselben Bytes</translation>
    </message>
    <message>
        <source>in place</source>
        <translation>an Ort und Stelle</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>other stream waits</source>
        <translation>anderer Strom wartet</translation>
    </message>
    <message>
        <source>%1  ·  storage %2</source>
        <translation>%1  ·  Block %2</translation>
    </message>
    <message>
        <source>steps %1</source>
        <translation>Schritte %1</translation>
    </message>
    <message>
        <source>bytes %1</source>
        <translation>Bytes %1</translation>
    </message>
    <message>
        <source>most alive %1</source>
        <translation>höchstens belegt %1</translation>
    </message>
    <message>
        <source>all addresses %1</source>
        <translation>alle Adressen %1</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>Spitze %1</translation>
    </message>
    <message>
        <source>lower bound %1</source>
        <translation>untere Schranke %1</translation>
    </message>
    <message>
        <source>capacity %1</source>
        <translation>Kapazität %1</translation>
    </message>
    <message>
        <source>1 bar</source>
        <translation>1 Balken</translation>
    </message>
    <message>
        <source>%1 bars</source>
        <translation>%1 Balken</translation>
    </message>
    <message>
        <source>←  %1 earlier</source>
        <translation>←  %1 davor</translation>
    </message>
    <message>
        <source>→  %1 later</source>
        <translation>→  %1 danach</translation>
    </message>
    <message>
        <source>↑  %1 above</source>
        <translation>↑  %1 darüber</translation>
    </message>
    <message>
        <source>↓  %1 below</source>
        <translation>↓  %1 darunter</translation>
    </message>
    <message>
        <source>%1 — press F to fit</source>
        <translation>%1 — F zum Einpassen</translation>
    </message>
    <message>
        <source>live bytes</source>
        <translation>belegt</translation>
    </message>
    <message>
        <source>whole run</source>
        <translation>ganzer Lauf</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>backward: %1 kept</source>
        <translation>rückwärts: %1 gespeichert</translation>
    </message>
    <message>
        <source>backward: at most %1 kept</source>
        <translation>rückwärts: höchstens %1 gespeichert</translation>
    </message>
    <message>
        <source>%1, proved lowest for this sharing</source>
        <translation>%1, für diese Teilung als niedrigste bewiesen</translation>
    </message>
    <message>
        <source>%1, %2 above the bound</source>
        <translation>%1, %2 über der Schranke</translation>
    </message>
    <message>
        <source>proved: none below %1 with this sharing</source>
        <translation>bewiesen: bei dieser Teilung keiner unter %1</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>Name:</translation>
    </message>
    <message>
        <source>Rename “%1”</source>
        <translation>„%1“ umbenennen</translation>
    </message>
    <message>
        <source>Rena&amp;me</source>
        <translation>&amp;Umbenennen</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>Loo&amp;k at in the graph</source>
        <translation>Im Grap&amp;h betrachten</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Open rece&amp;nt</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Selection</source>
        <translation>Aus&amp;wahl</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>Ta&amp;bles, search and run</source>
        <translation>Ta&amp;bellen, Suche und Lauf</translation>
    </message>
    <message>
        <source>Colo&amp;urs</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>La&amp;yout</source>
        <translation>La&amp;yout</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Gehe zu</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>Aus&amp;führen</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>PNG (*.png);;SVG (*.svg);;PDF (*.pdf)</source>
        <translation>PNG (*.png);;SVG (*.svg);;PDF (*.pdf)</translation>
    </message>
    <message>
        <source>CSV (*.csv);;Markdown (*.md);;JSON (*.json)</source>
        <translation>CSV (*.csv);;Markdown (*.md);;JSON (*.json)</translation>
    </message>
    <message>
        <source>%1 folded ahead</source>
        <translation>%1 vorab gefaltet</translation>
    </message>
    <message>
        <source>%1 prepared ahead</source>
        <translation>%1 vorab aufbereitet</translation>
    </message>
    <message>
        <source>%1 fused</source>
        <translation>%1 fusioniert</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>Height of the planned arenas: intermediates, outputs, scratchpads. Click: the step it is at</source>
        <translation>Höhe der geplanten Arenen: Zwischenwerte, Ausgaben, Scratchpads. Klick: der Schritt, an dem sie erreicht wird</translation>
    </message>
    <message>
        <source>%1, in a picture</source>
        <translation>%1, in einem Bild</translation>
    </message>
    <message>
        <source> or </source>
        <translation> oder </translation>
    </message>
    <message>
        <source>Graphs and tables of buffers (%1);;All files (*)</source>
        <translation>Graphen und Puffertabellen (%1);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source> The memory plan in it is %1.</source>
        <translation> Der Speicherplan darin %1.</translation>
    </message>
    <message>
        <source>&lt;h2&gt;Plimsoll %1&lt;/h2&gt;&lt;p&gt;Plans, judges, runs and shows how a graph&apos;s tensors share memory.&lt;/p&gt;&lt;p&gt;The Plimsoll line is the mark on a ship&apos;s hull that shows how deep she may legally be loaded.&lt;/p&gt;&lt;p&gt;It has no network code at all: nothing you open leaves this machine.&lt;/p&gt;&lt;p&gt;Licence: Apache-2.0. Built with Qt %2.&lt;/p&gt;</source>
        <translation>&lt;h2&gt;Plimsoll %1&lt;/h2&gt;&lt;p&gt;Plant, prüft, führt aus und zeigt, wie sich die Tensoren eines Graphen den Speicher teilen.&lt;/p&gt;&lt;p&gt;Die Plimsoll-Marke am Rumpf eines Schiffes zeigt, wie tief es beladen werden darf.&lt;/p&gt;&lt;p&gt;Es enthält keinerlei Netzwerkcode: Nichts, was hier geöffnet wird, verlässt diesen Rechner.&lt;/p&gt;&lt;p&gt;Lizenz: Apache-2.0. Gebaut mit Qt %2.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>About Plimsoll</source>
        <translation>Über Plimsoll</translation>
    </message>
    <message>
        <source>node · %1</source>
        <translation>Knoten · %1</translation>
    </message>
    <message>
        <source>value · %1</source>
        <translation>Wert · %1</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>storage · %1</source>
        <translation>Block · %1</translation>
    </message>
    <message>
        <source>bytes of %1</source>
        <translation>Bytes von %1</translation>
    </message>
    <message>
        <source>%1 belongs to “%2”.</source>
        <translation>%1 gehört zu „%2“.</translation>
    </message>
    <message>
        <source>%1 belongs to fields and tables.</source>
        <translation>%1 gehört zu Feldern und Tabellen.</translation>
    </message>
    <message>
        <source>%1 opens the menu %2.</source>
        <translation>%1 öffnet das Menü %2.</translation>
    </message>
    <message>
        <source>same peak</source>
        <translation>gleiche Spitze</translation>
    </message>
    <message>
        <source>same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>same in all</source>
        <translation>Σ gleich</translation>
    </message>
    <message>
        <source>%1 in all</source>
        <translation>Σ %1</translation>
    </message>
    <message>
        <source>%1 saved</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>%1 node</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>HTML, one file</source>
        <translation>HTML, eine Datei</translation>
    </message>
    <message>
        <source>JSON, plimsoll.report/1</source>
        <translation>JSON, plimsoll.report/1</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>CSV of buffers, for MiniMalloc and pack</source>
        <translation>CSV der Puffer, für MiniMalloc und pack</translation>
    </message>
    <message>
        <source>CSV of all values</source>
        <translation>CSV aller Werte</translation>
    </message>
    <message>
        <source>SVG of the plan</source>
        <translation>SVG des Plans</translation>
    </message>
    <message>
        <source>DOT of the graph</source>
        <translation>DOT des Graphen</translation>
    </message>
    <message>
        <source>Pane&amp;s</source>
        <translation>Berei&amp;che</translation>
    </message>
    <message>
        <source>La&amp;nguage</source>
        <translation>Sprach&amp;e</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>&amp;Keep a file of it: %1</source>
        <translation>In einer &amp;Datei behalten: %1</translation>
    </message>
    <message>
        <source>It names the files that are opened. It stays on this machine</source>
        <translation>Sie nennt die geöffneten Dateien und bleibt auf diesem Rechner</translation>
    </message>
    <message>
        <source>Graph &amp;direction</source>
        <translation>Richtung d&amp;es Graphen</translation>
    </message>
    <message>
        <source>The&amp;me, language, numbers</source>
        <translation>Farbsche&amp;ma, Sprache, Zahlen</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 Schritt</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>No arena has bytes at %1</source>
        <translation>Keine Arena hat Bytes bei %1</translation>
    </message>
    <message>
        <source>&amp;Stops</source>
        <translation>H&amp;altepunkte</translation>
    </message>
    <message>
        <source>Remarks</source>
        <translation>Bemerkungen</translation>
    </message>
    <message>
        <source>Remarks about this graph and its plans, saved with the session</source>
        <translation>Bemerkungen über diesen Graphen und seine Pläne, mit der Sitzung gesichert</translation>
    </message>
    <message>
        <source>Stop at step %1: %2</source>
        <translation>Haltepunkt bei Schritt %1: %2</translation>
    </message>
    <message>
        <source>meets nothing that is alive then</source>
        <translation>trifft nichts, was dann belegt ist</translation>
    </message>
    <message>
        <source>meets %1</source>
        <translation>trifft %1</translation>
    </message>
    <message>
        <source>meets %1 and %2 more</source>
        <translation>trifft %1 und %2 weitere</translation>
    </message>
    <message>
        <source>As it was opened</source>
        <translation>Wie es geöffnet wurde</translation>
    </message>
    <message>
        <source>Sizes of inputs</source>
        <translation>Größen von Eingaben</translation>
    </message>
    <message>
        <source>Our own plan</source>
        <translation>Unser eigener Plan</translation>
    </message>
    <message>
        <source>An edited plan</source>
        <translation>Ein bearbeiteter Plan</translation>
    </message>
    <message>
        <source>1024, 0x400 and 1KiB are addresses.</source>
        <translation>1024, 0x400 und 1KiB sind Adressen.</translation>
    </message>
    <message>
        <source>Move to an address</source>
        <translation>An eine Adresse schieben</translation>
    </message>
    <message>
        <source>%1 lies at %2, %3 long.</source>
        <translation>%1 liegt bei %2 und ist %3 lang.</translation>
    </message>
    <message>
        <source>Address in its arena</source>
        <translation>Adresse in der Arena</translation>
    </message>
    <message>
        <source>E&amp;dit the plan</source>
        <translation>Plan b&amp;earbeiten</translation>
    </message>
    <message>
        <source>C&amp;hanges and their peaks</source>
        <translation>Ä&amp;nderungen und ihre Spitzen</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>By which implementation</source>
        <translation>Durch welche Umsetzung</translation>
    </message>
    <message>
        <source>taken now</source>
        <translation>jetzt genommen</translation>
    </message>
    <message>
        <source>Apart from which value</source>
        <translation>Getrennt von welchem Wert</translation>
    </message>
    <message>
        <source>Together with which value</source>
        <translation>Zusammen mit welchem Wert</translation>
    </message>
    <message>
        <source>Nothing is asked of %1</source>
        <translation>Keine Vorgabe mehr für %1</translation>
    </message>
    <message>
        <source>%1 computed by %2</source>
        <translation>%1 berechnet durch %2</translation>
    </message>
    <message>
        <source>%1 frozen</source>
        <translation>%1 eingefroren</translation>
    </message>
    <message>
        <source>%1 computed anew</source>
        <translation>%1 neu berechnet</translation>
    </message>
    <message>
        <source>%1 apart from %2</source>
        <translation>%1 getrennt von %2</translation>
    </message>
    <message>
        <source>%1 together with %2</source>
        <translation>%1 zusammen mit %2</translation>
    </message>
    <message>
        <source>%1 kept at %2</source>
        <translation>%1 fest bei %2</translation>
    </message>
    <message>
        <source>Ask &amp;of the plan</source>
        <translation>&amp;Vorgaben für den Plan</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>asked for</source>
        <translation>verlangt</translation>
    </message>
    <message>
        <source>%1 to %2 ms</source>
        <translation>%1 bis %2 ms</translation>
    </message>
    <message>
        <source>scratchpad %1</source>
        <translation>Scratchpad %1</translation>
    </message>
    <message>
        <source>%1 · taken now</source>
        <translation>%1 · jetzt genommen</translation>
    </message>
    <message>
        <source>Keep it at an address</source>
        <translation>An einer Adresse behalten</translation>
    </message>
    <message>
        <source>The plan is made anew around it.</source>
        <translation>Der Plan wird darum herum neu gemacht.</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>benutzt</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>not legal</source>
        <translation>nicht zulässig</translation>
    </message>
    <message>
        <source>compared: %1 outlines of %2, the others are small or out of sight</source>
        <translation>verglichen: %1 Umrisse von %2, die anderen sind klein oder nicht zu sehen</translation>
    </message>
    <message>
        <source>%1: peak %2, bound %3</source>
        <translation>%1: Spitze %2, Schranke %3</translation>
    </message>
    <message>
        <source>%1: peak %2</source>
        <translation>%1: Spitze %2</translation>
    </message>
    <message>
        <source>JSON of the plan, plimsoll.plan/1</source>
        <translation>JSON des Plans, plimsoll.plan/1</translation>
    </message>
    <message>
        <source>time not known</source>
        <translation>Zeit nicht bekannt</translation>
    </message>
    <message>
        <source>Bookmark %1</source>
        <translation>Lesezeichen %1</translation>
    </message>
    <message>
        <source>No bookmark %1 any more</source>
        <translation>Kein Lesezeichen %1 mehr</translation>
    </message>
    <message>
        <source>Bookmark for %1</source>
        <translation>Lesezeichen für %1</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>N&amp;ote</source>
        <translation>N&amp;otiz</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1, Schritt %2</translation>
    </message>
    <message>
        <source>bookmark</source>
        <translation>Lesezeichen</translation>
    </message>
    <message>
        <source>peak and lower bound %1</source>
        <translation>Spitze und untere Schranke %1</translation>
    </message>
    <message>
        <source>, %1 (%2) above the lower bound %3</source>
        <translation>, %1 (%2) über der unteren Schranke %3</translation>
    </message>
    <message>
        <source>capacity %1, above</source>
        <translation>Kapazität %1, darüber</translation>
    </message>
    <message>
        <source>1 storage</source>
        <translation>1 Block</translation>
    </message>
    <message>
        <source>%1 storages</source>
        <translation>%1 Blöcke</translation>
    </message>
    <message>
        <source>1 tensor</source>
        <translation>1 Tensor</translation>
    </message>
    <message>
        <source>%1 tensors</source>
        <translation>%1 Tensoren</translation>
    </message>
    <message>
        <source>fits, %1 are left</source>
        <translation>passt, %1 bleiben übrig</translation>
    </message>
    <message>
        <source>does not fit by %1</source>
        <translation>passt nicht, um %1</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1, %2: %3</translation>
    </message>
    <message>
        <source>Heigh&amp;ts and rows</source>
        <translation>Höhen und Zeilen de&amp;s Bilds</translation>
    </message>
    <message>
        <source>B&amp;ookmarks</source>
        <translation>Le&amp;sezeichen</translation>
    </message>
    <message>
        <source>Look at a part of the graph first, by a filter (Ctrl+F) or around a node, or pick a group.</source>
        <translation>Erst einen Teil des Graphen betrachten, durch einen Filter (Strg+F) oder um einen Knoten, oder eine Gruppe wählen.</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Name of the group of %1:</source>
        <translation>Name der Gruppe von %1:</translation>
    </message>
    <message>
        <source>Group %1</source>
        <translation>Gruppe %1</translation>
    </message>
    <message>
        <source>Pick a group that was made by hand first.</source>
        <translation>Erst eine von Hand gemachte Gruppe wählen.</translation>
    </message>
    <message>
        <source>No group %1 any more</source>
        <translation>Keine Gruppe %1 mehr</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::BoundsPane</name>
    <message>
        <source>Sparse tensors keep at most</source>
        <translation>Dünn besetzte Tensoren halten höchstens</translation>
    </message>
    <message>
        <source>What %1 keeps at most</source>
        <translation>Was %1 höchstens hält</translation>
    </message>
    <message>
        <source>%1, %2
Below 0: as the file says</source>
        <translation>%1, %2
Unter 0: wie in der Datei angegeben</translation>
    </message>
    <message>
        <source>no bound given</source>
        <translation>keine Schranke angegeben</translation>
    </message>
    <message>
        <source> elements</source>
        <translation> Elemente</translation>
    </message>
    <message>
        <source> rows</source>
        <translation> Zeilen</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::BytesModel</name>
    <message>
        <source>scratchpad of %1</source>
        <translation>Scratchpad von %1</translation>
    </message>
    <message>
        <source>given</source>
        <translation>übergeben</translation>
    </message>
    <message>
        <source>not kept</source>
        <translation>nicht aufbewahrt</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Whose</source>
        <translation>Wessen</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>nobody: nothing written yet</source>
        <translation>niemand: noch nichts geschrieben</translation>
    </message>
    <message>
        <source>nobody any more, last %1</source>
        <translation>niemand mehr, zuletzt %1</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::BytesPane</name>
    <message>
        <source>Iteration</source>
        <translation>Durchgang</translation>
    </message>
    <message>
        <source>Which time of the step, where a loop goes round</source>
        <translation>Das wievielte Mal der Schritt ist, wo eine Schleife läuft</translation>
    </message>
    <message>
        <source>Keep from here</source>
        <translation>Ab hier aufbewahren</translation>
    </message>
    <message>
        <source>Run again, and keep the bytes from this step on</source>
        <translation>Noch einmal laufen und die Bytes ab diesem Schritt aufbewahren</translation>
    </message>
    <message>
        <source>The write before</source>
        <translation>Das Schreiben davor</translation>
    </message>
    <message>
        <source>The next write</source>
        <translation>Das nächste Schreiben</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Which map</source>
        <translation>Welche Karte</translation>
    </message>
    <message>
        <source>The last two dimensions are shown; this counts through those before</source>
        <translation>Die letzten beiden Dimensionen werden gezeigt; dies zählt die davor durch</translation>
    </message>
    <message>
        <source>Nothing was run yet, or its bytes were not kept: a run (Run &gt; Run) keeps what each step writes.</source>
        <translation>Noch ist nichts gelaufen, oder die Bytes wurden nicht aufbewahrt: Ein Lauf (Ausführen &gt; Ausführen) bewahrt auf, was jeder Schritt schreibt.</translation>
    </message>
    <message>
        <source>Pick a step, a value, a storage, or bytes: what they hold at the step cursor is shown here.</source>
        <translation>Einen Schritt, einen Wert, einen Speicherblock oder Bytes wählen: Was sie am Schrittcursor enthalten, steht dann hier.</translation>
    </message>
    <message>
        <source>Nothing has run by this step.</source>
        <translation>Bis zu diesem Schritt ist nichts gelaufen.</translation>
    </message>
    <message>
        <source>iteration %1</source>
        <translation>Durchgang %1</translation>
    </message>
    <message>
        <source>Nothing has written it by this step.</source>
        <translation>Bis zu diesem Schritt hat ihn nichts geschrieben.</translation>
    </message>
    <message>
        <source>%1 after step %2</source>
        <translation>%1 nach Schritt %2</translation>
    </message>
    <message>
        <source>%1, its first %2</source>
        <translation>%1, die ersten %2</translation>
    </message>
    <message>
        <source>%1 is computed within node %2, and never stored: a run has no bytes of it.</source>
        <translation>%1 wird innerhalb von Knoten %2 berechnet und nie abgelegt: Ein Lauf hat keine Bytes davon.</translation>
    </message>
    <message>
        <source>%1 is never made: the plan leaves its node out.</source>
        <translation>%1 entsteht nie: Der Plan lässt den Knoten weg.</translation>
    </message>
    <message>
        <source>%1, as step %2 wrote it</source>
        <translation>%1, wie Schritt %2 es schrieb</translation>
    </message>
    <message>
        <source>%1, after step %2: %3 of it by others</source>
        <translation>%1, nach Schritt %2: %3 davon von anderen</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Return or a double-click on a line: who wrote these bytes, and who reads them next</source>
        <translation>Eingabe oder Doppelklick auf eine Zeile: wer diese Bytes geschrieben hat, und wer sie als Nächstes liest</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::Canvas</name>
    <message>
        <source>Drawing…</source>
        <translation>Wird gezeichnet …</translation>
    </message>
    <message>
        <source>scratchpad of %1, storage %2 of %3, steps %4</source>
        <translation>Scratchpad von %1, Block %2 mit %3, Schritte %4</translation>
    </message>
    <message>
        <source>storage %1 of %2, values: %3, steps %4</source>
        <translation>Block %1 mit %2, Werte: %3, Schritte %4</translation>
    </message>
    <message>
        <source>%1, not planned: its size is known only when it runs</source>
        <translation>%1, nicht geplant: Die Größe ist erst im Lauf bekannt</translation>
    </message>
    <message>
        <source>%1 of at most %2, in %3</source>
        <translation>%1 mit höchstens %2, in %3</translation>
    </message>
    <message>
        <source>%1 of %2, in %3</source>
        <translation>%1 mit %2, in %3</translation>
    </message>
    <message>
        <source>Open a graph to see it here.</source>
        <translation>Hier erscheint ein Graph, sobald einer geöffnet ist.</translation>
    </message>
    <message>
        <source>at no step</source>
        <translation>an keinem Schritt</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1, %2, %3</translation>
    </message>
    <message>
        <source>bytes %1</source>
        <translation>Bytes %1</translation>
    </message>
    <message>
        <source>nothing is selected</source>
        <translation>nichts ist ausgewählt</translation>
    </message>
    <message>
        <source>it has bytes %1</source>
        <translation>er hat die Bytes %1</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>%1: %2 runs, %3 alive</source>
        <translation>%1: %2 läuft, %3 belegt</translation>
    </message>
    <message>
        <source>%1, never stored: %2 hands it on inside</source>
        <translation>%1, nie gespeichert: %2 reicht es im Innern weiter</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::CanvasTabs</name>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Time × address: where every value lies, and when</source>
        <translation>Zeit × Adresse: wo jeder Wert liegt und wann</translation>
    </message>
    <message>
        <source>Live ranges</source>
        <translation>Lebensspannen</translation>
    </message>
    <message>
        <source>One row for each value, over the steps; T: for each storage</source>
        <translation>Eine Zeile je Wert über den Schritten; T: je Speicherblock</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Nodes and edges</source>
        <translation>Knoten und Kanten</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Drawing…</source>
        <translation>Wird gezeichnet …</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::ChangeRanking</name>
    <message>
        <source>Planning with two policies changed</source>
        <translation>Plan mit zwei geänderten Regeln</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::ColourKeyBar</name>
    <message>
        <source>What the colours mean</source>
        <translation>Was die Farben bedeuten</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 Schritt</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>%1 to %2 steps</source>
        <translation>%1 bis %2 Schritte</translation>
    </message>
    <message>
        <source>alone</source>
        <translation>allein</translation>
    </message>
    <message>
        <source>%1 values</source>
        <translation>%1 Werte</translation>
    </message>
    <message>
        <source>%1 to %2 values</source>
        <translation>%1 bis %2 Werte</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>No times: the plan was not run</source>
        <translation>Keine Zeiten: Der Plan lief noch nicht</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>No modules: the names of the nodes have no paths</source>
        <translation>Keine Module: Die Namen der Knoten haben keine Pfade</translation>
    </message>
    <message>
        <source>No operators: no node writes a value</source>
        <translation>Keine Operatoren: Kein Knoten schreibt einen Wert</translation>
    </message>
    <message>
        <source>Nothing is planned here</source>
        <translation>Hier ist nichts geplant</translation>
    </message>
    <message>
        <source>No values</source>
        <translation>Keine Werte</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::CompareOffer</name>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Both stay open</source>
        <translation>Beide bleiben geöffnet</translation>
    </message>
    <message>
        <source>Opened together with %1.</source>
        <translation>Zusammen geöffnet mit %1.</translation>
    </message>
    <message>
        <source>Compare %1 with %2</source>
        <translation>%1 mit %2 vergleichen</translation>
    </message>
    <message>
        <source>Show what the plans differ by, here: %1</source>
        <translation>Zeigen, worin sich die Pläne unterscheiden, hier: %1</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::ComparedStrip</name>
    <message>
        <source>Compared with %1.</source>
        <translation>Verglichen mit %1.</translation>
    </message>
    <message>
        <source>Compared with the plan before.</source>
        <translation>Verglichen mit dem Plan davor.</translation>
    </message>
    <message>
        <source>1 pair is the same by hand.</source>
        <translation>1 Paar ist von Hand dasselbe.</translation>
    </message>
    <message>
        <source>%1 pairs are the same by hand.</source>
        <translation>%1 Paare sind von Hand dasselbe.</translation>
    </message>
    <message>
        <source>Compare with a report, a plan or a graph</source>
        <translation>Mit einem Bericht, einem Plan oder einem Graphen vergleichen</translation>
    </message>
    <message>
        <source>Plans and reports (*.json)</source>
        <translation>Pläne und Berichte (*.json)</translation>
    </message>
    <message>
        <source>Compared with our own plan.</source>
        <translation>Verglichen mit unserem eigenen Plan.</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::ContentPicture</name>
    <message>
        <source>What the elements are like</source>
        <translation>Wie die Elemente sind</translation>
    </message>
    <message>
        <source>1 element</source>
        <translation>1 Element</translation>
    </message>
    <message>
        <source>%1 elements</source>
        <translation>%1 Elemente</translation>
    </message>
    <message>
        <source>%1 to %2, on average %3</source>
        <translation>%1 bis %2, im Mittel %3</translation>
    </message>
    <message>
        <source>1 is zero</source>
        <translation>1 ist null</translation>
    </message>
    <message>
        <source>%1 are zero</source>
        <translation>%1 sind null</translation>
    </message>
    <message>
        <source>1 is NaN</source>
        <translation>1 ist NaN</translation>
    </message>
    <message>
        <source>%1 are NaN</source>
        <translation>%1 sind NaN</translation>
    </message>
    <message>
        <source>1 is infinite</source>
        <translation>1 ist unendlich</translation>
    </message>
    <message>
        <source>%1 are infinite</source>
        <translation>%1 sind unendlich</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::DimensionsPane</name>
    <message>
        <source>Dimensions</source>
        <translation>Dimensionen</translation>
    </message>
    <message>
        <source>Size of %1</source>
        <translation>Größe von %1</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>It was not given: 1 was taken, or what works where 1 does not</source>
        <translation>Nicht angegeben: 1 wurde genommen, oder was geht, wo 1 nicht geht</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::Document</name>
    <message>
        <source>Reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::DocumentTabs</name>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>modified</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>at work</source>
        <translation>arbeitet</translation>
    </message>
    <message>
        <source>not legal</source>
        <translation>nicht zulässig</translation>
    </message>
    <message>
        <source>not opened</source>
        <translation>nicht geöffnet</translation>
    </message>
    <message>
        <source>its work has ended</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Schließen</translation>
    </message>
    <message>
        <source>Close the &amp;others</source>
        <translation>Die &amp;anderen schließen</translation>
    </message>
    <message>
        <source>Copy its &amp;path</source>
        <translation>&amp;Pfad kopieren</translation>
    </message>
    <message>
        <source>with warnings</source>
        <translation>mit Warnungen</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::DotProcess</name>
    <message>
        <source>Graphviz took too long; this is our own layout.</source>
        <translation>Graphviz brauchte zu lange; dies ist die eigene Anordnung.</translation>
    </message>
    <message>
        <source>Graphviz is not installed (package graphviz); this is our own layout.</source>
        <translation>Graphviz ist nicht installiert (Paket graphviz); dies ist die eigene Anordnung.</translation>
    </message>
    <message>
        <source>Graphviz failed; this is our own layout.</source>
        <translation>Graphviz ist gescheitert; dies ist die eigene Anordnung.</translation>
    </message>
    <message>
        <source>Graphviz gave an answer that cannot be read (%1); this is our own layout.</source>
        <translation>Die Antwort von Graphviz ist nicht lesbar (%1); dies ist die eigene Anordnung.</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::FactView</name>
    <message>
        <source>Copy row</source>
        <translation>Zeile kopieren</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::Finder</name>
    <message>
        <source>Nothing of that name</source>
        <translation>Nichts mit diesem Namen</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>not now</source>
        <translation>jetzt nicht</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::FitJob</name>
    <message>
        <source>Looking for policies that fit</source>
        <translation>Suche nach Regeln, die passen</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::FitStrip</name>
    <message>
        <source>Fit &amp;into</source>
        <translation>&amp;Passend machen für</translation>
    </message>
    <message>
        <source>Capacity to fit into</source>
        <translation>Kapazität, in die der Plan passen soll</translation>
    </message>
    <message>
        <source>Bytes that the plan may have: 64KiB, or cpu=1MiB,sram=64KiB</source>
        <translation>Bytes, die der Plan haben darf: 64KiB oder cpu=1MiB,sram=64KiB</translation>
    </message>
    <message>
        <source>Find policies</source>
        <translation>Regeln suchen</translation>
    </message>
    <message>
        <source>Find the cheapest policies whose plan fits: least time, then fewest changes</source>
        <translation>Sucht die günstigsten Regeln, deren Plan passt: die geringste Zeit, dann die wenigsten Änderungen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Plan by the policies that fit, with that capacity</source>
        <translation>Mit den passenden Regeln planen, mit dieser Kapazität</translation>
    </message>
    <message>
        <source>Progress of fitting</source>
        <translation>Fortschritt der Suche nach passenden Regeln</translation>
    </message>
    <message>
        <source>Planning with other policies…</source>
        <translation>Plant mit anderen Regeln …</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::FreeingJob</name>
    <message>
        <source>Finding out what would free the tensor</source>
        <translation>Ermitteln, was den Tensor freigäbe</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::GraphCanvas</name>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Nodes and the values between them. Arrow keys go from node to node; plus opens a group, minus closes it.</source>
        <translation>Knoten und die Werte dazwischen. Pfeiltasten gehen von Knoten zu Knoten; Plus öffnet eine Gruppe, Minus schließt sie.</translation>
    </message>
    <message>
        <source>Laying out the graph…</source>
        <translation>Graph wird angeordnet …</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Anordnung</translation>
    </message>
    <message>
        <source>There is nothing of that kind here: no path, or what was selected is gone.</source>
        <translation>Nichts dergleichen hier: kein Pfad, oder die Auswahl gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>Graphviz is asked for at most %1 boxes; close some groups first.</source>
        <translation>Graphviz wird für höchstens %1 Kästen gefragt; zuerst einige Gruppen schließen.</translation>
    </message>
    <message>
        <source>Graphviz is tidying the picture…</source>
        <translation>Graphviz räumt das Bild auf …</translation>
    </message>
    <message>
        <source>The graph hides what is selected; 0 shows all of it.</source>
        <translation>Der Graph verbirgt die Auswahl; 0 zeigt alles.</translation>
    </message>
    <message>
        <source>This graph has no nodes that run.</source>
        <translation>Dieser Graph hat keine Knoten, die ausgeführt werden.</translation>
    </message>
    <message>
        <source>Select a node or a value first.</source>
        <translation>Zuerst einen Knoten oder Wert auswählen.</translation>
    </message>
    <message>
        <source>Say first where the path begins: M.</source>
        <translation>Zuerst sagen, wo der Pfad beginnt: M.</translation>
    </message>
    <message>
        <source>at most %1  ·  storage %2</source>
        <translation>höchstens %1  ·  Block %2</translation>
    </message>
    <message>
        <source>%1  ·  storage %2</source>
        <translation>%1  ·  Block %2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>double click to open</source>
        <translation>Doppelklick öffnet</translation>
    </message>
    <message>
        <source>double click to close</source>
        <translation>Doppelklick schließt</translation>
    </message>
    <message>
        <source>written in place</source>
        <translation>an Ort und Stelle geschrieben</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>an event: one stream waits here for the other</source>
        <translation>ein Ereignis: Ein Strom wartet hier auf den anderen</translation>
    </message>
    <message>
        <source>Filter of the graph</source>
        <translation>Filter des Graphen</translation>
    </message>
    <message>
        <source>Filter: words, bytes&gt;1MiB, not, or</source>
        <translation>Filter: Wörter, bytes&gt;1MiB, nicht, oder</translation>
    </message>
    <message>
        <source>Nodes that have this, by the columns of the tables of nodes and values; Escape ends it</source>
        <translation>Knoten, auf die das zutrifft, nach den Spalten der Tabellen der Knoten und der Werte; Escape beendet ihn</translation>
    </message>
    <message>
        <source>click the minus to close</source>
        <translation>Klick auf das Minus schließt sie</translation>
    </message>
    <message>
        <source>Path: click its other end, or go there and press M; 0 ends it.</source>
        <translation>Pfad: das andere Ende anklicken, oder dorthin gehen und M drücken; 0 beendet ihn.</translation>
    </message>
    <message>
        <source>click to show each of them</source>
        <translation>Klick zeigt jeden einzeln</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::HelpsCanvas</name>
    <message>
        <source>Time against peak of other policies</source>
        <translation>Zeit gegen Spitze bei anderen Regeln</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>peak beside this plan: %1</source>
        <translation>Spitze gegenüber diesem Plan: %1</translation>
    </message>
    <message>
        <source>of the caller beside this plan: %1</source>
        <translation>beim Aufrufer gegenüber diesem Plan: %1</translation>
    </message>
    <message>
        <source>double-click or Return: plan so</source>
        <translation>Doppelklick oder Eingabe: so planen</translation>
    </message>
    <message>
        <source>Time and peak of the plan that each change of policies makes. Arrow keys go from point to point; Return plans so.</source>
        <translation>Zeit und Spitze des Plans, den jede Änderung von Regeln ergibt. Pfeiltasten gehen von Punkt zu Punkt; Eingabe plant so.</translation>
    </message>
    <message>
        <source>%1, time not known</source>
        <translation>%1, Zeit unbekannt</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::HelpsPane</name>
    <message>
        <source>Plan so</source>
        <translation>So planen</translation>
    </message>
    <message>
        <source>Plan by the change that is selected</source>
        <translation>Nach der ausgewählten Änderung planen</translation>
    </message>
    <message>
        <source>No times are known of these plans.</source>
        <translation>Von diesen Plänen sind keine Zeiten bekannt.</translation>
    </message>
    <message>
        <source>Planning with other policies…</source>
        <translation>Plant mit anderen Regeln …</translation>
    </message>
    <message>
        <source>1 change lowers the peak</source>
        <translation>1 Änderung senkt die Spitze</translation>
    </message>
    <message>
        <source>%1 changes lower the peak</source>
        <translation>%1 Änderungen senken die Spitze</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::InputsField</name>
    <message>
        <source>Inputs: drawn</source>
        <translation>Eingaben: gezogen</translation>
    </message>
    <message>
        <source>Choose a folder of inputs</source>
        <translation>Ordner mit Eingaben wählen</translation>
    </message>
    <message>
        <source>Inputs of the run</source>
        <translation>Eingaben des Laufs</translation>
    </message>
    <message>
        <source>A folder of input_0.pb, input_0.npy or NAME.npy, and so on, a test of ONNX, one such file or an image; what is not given is drawn from the seed</source>
        <translation>Ein Ordner mit input_0.pb, input_0.npy oder NAME.npy und so weiter, ein Test von ONNX, eine solche Datei oder ein Bild; was nicht gegeben ist, wird aus dem Startwert gezogen</translation>
    </message>
    <message>
        <source>Choose inputs</source>
        <translation>Eingaben wählen</translation>
    </message>
    <message>
        <source>A folder of inputs…</source>
        <translation>Ein Ordner mit Eingaben …</translation>
    </message>
    <message>
        <source>A file or an image…</source>
        <translation>Eine Datei oder ein Bild …</translation>
    </message>
    <message>
        <source>Choose a file or an image</source>
        <translation>Datei oder Bild wählen</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::InspectorPane</name>
    <message>
        <source>Facts</source>
        <translation>Fakten</translation>
    </message>
    <message>
        <source>Nothing is open</source>
        <translation>Nichts ist geöffnet</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::JobsStrip</name>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>%1, and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>Stop: %1</source>
        <translation>Stopp: %1</translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation>noch etwa %1</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::LiveRangeCanvas</name>
    <message>
        <source>Live ranges</source>
        <translation>Lebensspannen</translation>
    </message>
    <message>
        <source>One row for each value or storage, with the steps in which its bytes matter. Arrow keys go from row to row.</source>
        <translation>Eine Zeile je Wert oder Speicherblock mit den Schritten, in denen seine Bytes gebraucht werden. Pfeiltasten gehen von Zeile zu Zeile.</translation>
    </message>
    <message>
        <source>This graph has no values with bytes.</source>
        <translation>Dieser Graph hat keine Werte mit Bytes.</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>scratchpad of </source>
        <translation>Scratchpad von </translation>
    </message>
    <message>
        <source>All rows are hidden: click to show them.</source>
        <translation>Alle Zeilen sind ausgeblendet: Ein Klick zeigt sie.</translation>
    </message>
    <message>
        <source>1 pinned</source>
        <translation>1 angeheftet</translation>
    </message>
    <message>
        <source>%1 pinned</source>
        <translation>%1 angeheftet</translation>
    </message>
    <message>
        <source>no modules: the names of the nodes have no paths</source>
        <translation>keine Module: Die Namen der Knoten haben keine Pfade</translation>
    </message>
    <message>
        <source>1 hidden — show</source>
        <translation>1 ausgeblendet — zeigen</translation>
    </message>
    <message>
        <source>%1 hidden — show</source>
        <translation>%1 ausgeblendet — zeigen</translation>
    </message>
    <message>
        <source>Select a row to pin it</source>
        <translation>Eine Zeile auswählen, um sie anzuheften</translation>
    </message>
    <message>
        <source>Select a row to hide it</source>
        <translation>Eine Zeile auswählen, um sie auszublenden</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::MainWindow</name>
    <message>
        <source>Export the report</source>
        <translation>Bericht exportieren</translation>
    </message>
    <message>
        <source>Export the picture</source>
        <translation>Bild exportieren</translation>
    </message>
    <message>
        <source>Export the whole picture</source>
        <translation>Ganzes Bild exportieren</translation>
    </message>
    <message>
        <source>Export the table</source>
        <translation>Tabelle exportieren</translation>
    </message>
    <message>
        <source>The window speaks it from the next start on.</source>
        <translation>Die Sprache gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>Save layout</source>
        <translation>Layout sichern</translation>
    </message>
    <message>
        <source>The diagnostics are on the clipboard.</source>
        <translation>Die Diagnose liegt in der Zwischenablage.</translation>
    </message>
    <message>
        <source>A command</source>
        <translation>Ein Befehl</translation>
    </message>
    <message>
        <source>A value, node, storage (s12), step (118) or bytes (0x36000..0x37000)</source>
        <translation>Ein Wert, Knoten, Block (s12), Schritt (118) oder Bytes (0x36000..0x37000)</translation>
    </message>
    <message>
        <source>Judge a plan</source>
        <translation>Plan prüfen</translation>
    </message>
    <message>
        <source>Plans and reports (*.json);;All files (*)</source>
        <translation>Pläne und Berichte (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>The step cursor, and how many steps there are</source>
        <translation>Der Schrittcursor und die Zahl der Schritte</translation>
    </message>
    <message>
        <source>Asking what the backends offer</source>
        <translation>Angebote der Backends werden erfragt</translation>
    </message>
    <message>
        <source>Measuring what the backends offer</source>
        <translation>Angebote der Backends werden gemessen</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Wird ausgeführt</translation>
    </message>
    <message>
        <source>Plimsoll</source>
        <translation>Plimsoll</translation>
    </message>
    <message>
        <source>▲ %1</source>
        <translation>▲ %1</translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation>&amp;Leeren</translation>
    </message>
    <message>
        <source>  step %1 / %2  </source>
        <translation>  Schritt %1 / %2  </translation>
    </message>
    <message>
        <source>sizes of inputs</source>
        <translation>Größen von Eingaben</translation>
    </message>
    <message>
        <source>the plan that was judged</source>
        <translation>der geprüfte Plan</translation>
    </message>
    <message>
        <source>Without effect on this graph: %1</source>
        <translation>Ohne Wirkung auf diesen Graphen: %1</translation>
    </message>
    <message>
        <source>There are no stops: set one at the selection.</source>
        <translation>Es gibt keine Haltepunkte: einen an der Auswahl setzen.</translation>
    </message>
    <message>
        <source>No stop comes behind this step.</source>
        <translation>Hinter diesem Schritt kommt kein Haltepunkt.</translation>
    </message>
    <message>
        <source>No stop comes before this step.</source>
        <translation>Vor diesem Schritt kommt kein Haltepunkt.</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 Schritt</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>Stop at %1: %2</source>
        <translation>Haltepunkt bei %1: %2</translation>
    </message>
    <message>
        <source>No stop at %1</source>
        <translation>Kein Haltepunkt mehr bei %1</translation>
    </message>
    <message>
        <source>Save the session</source>
        <translation>Sitzung sichern</translation>
    </message>
    <message>
        <source>Sessions (*.plimsoll)</source>
        <translation>Sitzungen (*.plimsoll)</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>Als %1 gesichert</translation>
    </message>
    <message>
        <source>%1[*] — Plimsoll</source>
        <translation>%1[*] — Plimsoll</translation>
    </message>
    <message>
        <source>Looking for the guilty sharing</source>
        <translation>Suche nach der schuldigen Teilung</translation>
    </message>
    <message>
        <source>There is no plan before: no policy was changed yet.</source>
        <translation>Es gibt keinen Plan davor: Noch wurde keine Regel geändert.</translation>
    </message>
    <message>
        <source>Suppress the finding</source>
        <translation>Befund unterdrücken</translation>
    </message>
    <message>
        <source>No row is picked.</source>
        <translation>Keine Zeile ist ausgewählt.</translation>
    </message>
    <message>
        <source>No value differs from what the plan is compared with.</source>
        <translation>Kein Wert unterscheidet sich von dem, womit der Plan verglichen wird.</translation>
    </message>
    <message>
        <source>No free place above</source>
        <translation>Darüber ist keine Stelle frei</translation>
    </message>
    <message>
        <source>No free place below</source>
        <translation>Darunter ist keine Stelle frei</translation>
    </message>
    <message>
        <source>%1 on bytes of its own</source>
        <translation>%1 auf eigenen Bytes</translation>
    </message>
    <message>
        <source>%1 earlier</source>
        <translation>%1 früher</translation>
    </message>
    <message>
        <source>%1 later</source>
        <translation>%1 später</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 nach %2</translation>
    </message>
    <message>
        <source>Into the bytes of which value</source>
        <translation>In die Bytes welches Werts</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Geschrieben: %1</translation>
    </message>
    <message>
        <source>constraints</source>
        <translation>Vorgaben</translation>
    </message>
    <message>
        <source>No more suppressed: %1</source>
        <translation>Nicht mehr unterdrückt: %1</translation>
    </message>
    <message>
        <source>Suppressed: %1</source>
        <translation>Unterdrückt: %1</translation>
    </message>
    <message>
        <source>Saving %1…</source>
        <translation>%1 wird gesichert …</translation>
    </message>
    <message>
        <source>%1. Peak %2</source>
        <translation>%1. Spitze %2</translation>
    </message>
    <message>
        <source>Placing anew</source>
        <translation>Plätze werden neu gesucht</translation>
    </message>
    <message>
        <source>Placed anew</source>
        <translation>Neu platziert</translation>
    </message>
    <message>
        <source>Why with which value</source>
        <translation>Warum mit welchem Wert</translation>
    </message>
    <message>
        <source>Why these two</source>
        <translation>Warum diese beiden</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>Run before which node</source>
        <translation>Vor welchem Knoten ausführen</translation>
    </message>
    <message>
        <source>%1 before %2</source>
        <translation>%1 vor %2</translation>
    </message>
    <message>
        <source>%1, after %2</source>
        <translation>%1, nach %2</translation>
    </message>
    <message>
        <source>Steps are as wide as they took once the plan has run.</source>
        <translation>Schritte sind so breit, wie sie dauerten, sobald der Plan gelaufen ist.</translation>
    </message>
    <message>
        <source>Nothing is planned here</source>
        <translation>Hier ist nichts geplant</translation>
    </message>
    <message>
        <source>A device whose memory the plan is to fit</source>
        <translation>Ein Gerät, in dessen Speicher der Plan passen soll</translation>
    </message>
    <message>
        <source>%1, %2 of %3: %4</source>
        <translation>%1, %2 nach %3: %4</translation>
    </message>
    <message>
        <source>Step %1: %2</source>
        <translation>Schritt %1: %2</translation>
    </message>
    <message>
        <source>Reason to live with it (none: it is not suppressed any more):</source>
        <translation>Grund, damit zu leben (keiner: nicht mehr unterdrückt):</translation>
    </message>
    <message>
        <source>. %1 looks for other places</source>
        <translation>. %1 sucht andere Plätze</translation>
    </message>
    <message>
        <source>. %1 may go down to %2</source>
        <translation>. %1 kann bis auf %2 hinabgehen</translation>
    </message>
    <message>
        <source>Nothing of that name, and no command. Conditions such as bytes&gt;1MiB are for the filter of a table or of the graph (%1).</source>
        <translation>Nichts mit diesem Namen, und kein Befehl. Bedingungen wie bytes&gt;1MiB gehören in den Filter einer Tabelle oder des Graphen (%1).</translation>
    </message>
    <message>
        <source>Open graphs</source>
        <translation>Graphen öffnen</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::ManualWindow</name>
    <message>
        <source>Plimsoll manual</source>
        <translation>Plimsoll-Handbuch (englisch)</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>Im Handbuch suchen</translation>
    </message>
    <message>
        <source>Search all pages</source>
        <translation>Alle Seiten durchsuchen</translation>
    </message>
    <message>
        <source>Places in the manual</source>
        <translation>Stellen im Handbuch</translation>
    </message>
    <message>
        <source>Nothing in the manual has all these words.</source>
        <translation>Keine Stelle im Handbuch enthält alle diese Wörter.</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::MeasureStrip</name>
    <message>
        <source>What the libraries offer, with estimated times.</source>
        <translation>Was die Bibliotheken anbieten, mit geschätzten Zeiten.</translation>
    </message>
    <message>
        <source>Stopped: no library was asked.</source>
        <translation>Gestoppt: Keine Bibliothek wurde gefragt.</translation>
    </message>
    <message>
        <source>Measured on this machine.</source>
        <translation>Auf diesem Rechner gemessen.</translation>
    </message>
    <message>
        <source>Stopped; the times stay as they were.</source>
        <translation>Gestoppt; die Zeiten bleiben, wie sie waren.</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>Execute every offer, the reorders between them and the plain loops a few times, in a process of its own, and plan with the times of this machine</source>
        <translation>Jedes Angebot, die Umordnungen dazwischen und die einfachen Schleifen einige Male in einem eigenen Prozess ausführen und mit den Zeiten dieses Rechners planen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Progress of measuring</source>
        <translation>Fortschritt der Messung</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Beside the plan</source>
        <translation>Neben dem Plan</translation>
    </message>
    <message>
        <source>Kernels and reorders</source>
        <translation>Kernel und Umordnungen</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>%1, measured</source>
        <translation>%1, gemessen</translation>
    </message>
    <message>
        <source>%1, estimated</source>
        <translation>%1, geschätzt</translation>
    </message>
    <message>
        <source>This plan</source>
        <translation>Dieser Plan</translation>
    </message>
    <message>
        <source>padding %1</source>
        <translation>Auffüllung %1</translation>
    </message>
    <message>
        <source>fusion %1</source>
        <translation>Fusion %1</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::OpeningPage</name>
    <message>
        <source>A file is being opened</source>
        <translation>Eine Datei wird geöffnet</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Back to the start page</source>
        <translation>Zurück zur Startseite</translation>
    </message>
    <message>
        <source>In %1, %2</source>
        <translation>In %1, %2</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::PlanCanvas</name>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Time and address picture of the plan. Arrow keys go from value to value, the bracket keys from step to step. The tables show the same as text.</source>
        <translation>Bild des Plans aus Zeit und Adresse. Pfeiltasten gehen von Wert zu Wert, eckige Klammern von Schritt zu Schritt. Die Tabellen zeigen dasselbe als Text.</translation>
    </message>
    <message>
        <source>Something large begins or ends at nearly every step: none is narrower.</source>
        <translation>Fast an jedem Schritt beginnt oder endet etwas Großes: keiner ist schmaler.</translation>
    </message>
    <message>
        <source>Stacked by age this plan has too many pieces; it stays by address.</source>
        <translation>Nach Alter gestapelt hätte dieser Plan zu viele Teile; er bleibt nach Adresse.</translation>
    </message>
    <message>
        <source>Nothing is planned here: every value of this graph belongs to the caller, or has a size that is known only when it runs.</source>
        <translation>Hier ist nichts geplant: Jeder Wert dieses Graphen gehört dem Aufrufer oder hat eine Größe, die erst im Lauf bekannt ist.</translation>
    </message>
    <message>
        <source>There is no plan before: no policy was changed yet.</source>
        <translation>Es gibt keinen Plan davor: Noch wurde keine Regel geändert.</translation>
    </message>
    <message>
        <source>1 bar lay elsewhere</source>
        <translation>1 Balken lag woanders</translation>
    </message>
    <message>
        <source>%1 bars lay elsewhere</source>
        <translation>%1 Balken lagen woanders</translation>
    </message>
    <message>
        <source>What it is compared with: peak %1, %2</source>
        <translation>Womit verglichen wird: Spitze %1, %2</translation>
    </message>
    <message>
        <source>No free place above</source>
        <translation>Darüber ist keine Stelle frei</translation>
    </message>
    <message>
        <source>No free place below</source>
        <translation>Darunter ist keine Stelle frei</translation>
    </message>
    <message>
        <source>Rows show no addresses: bars that lie elsewhere are seen by address.</source>
        <translation>Zeilen zeigen keine Adressen: Balken, die woanders liegen, sieht man nach Adresse.</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::PlanComparison</name>
    <message>
        <source>Reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
    <message>
        <source>Planning %1</source>
        <translation>%1 wird geplant</translation>
    </message>
    <message>
        <source>Planning beside the plan that is judged</source>
        <translation>Neben dem Plan, der geprüft wird, wird geplant</translation>
    </message>
    <message>
        <source>The same: %1 and %2</source>
        <translation>Dasselbe: %1 und %2</translation>
    </message>
    <message>
        <source>Not the same: %1 and %2</source>
        <translation>Nicht dasselbe: %1 und %2</translation>
    </message>
    <message>
        <source>Matching two plans</source>
        <translation>Zwei Pläne werden zugeordnet</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::PlanPair</name>
    <message>
        <source>Only the plan of now, below, can be changed.</source>
        <translation>Nur der jetzige Plan, unten, lässt sich ändern.</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Plan to compare with: %1</source>
        <translation>Plan zum Vergleich: %1</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>The plan of now has nothing that is this.</source>
        <translation>Im jetzigen Plan gibt es nichts, was das wäre.</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::PoliciesPane</name>
    <message>
        <source>Prices compare with the plan before the search went on.</source>
        <translation>Die Preise vergleichen mit dem Plan vor der weiteren Suche.</translation>
    </message>
    <message>
        <source>Lowers the peak</source>
        <translation>Senkt die Spitze</translation>
    </message>
    <message>
        <source>Changes this plan</source>
        <translation>Ändert diesen Plan</translation>
    </message>
    <message>
        <source>Limits and sizes</source>
        <translation>Grenzen und Größen</translation>
    </message>
    <message>
        <source>Not tried yet</source>
        <translation>Noch nicht versucht</translation>
    </message>
    <message>
        <source>No difference here</source>
        <translation>Hier kein Unterschied</translation>
    </message>
    <message>
        <source>Without effect here</source>
        <translation>Hier ohne Wirkung</translation>
    </message>
    <message>
        <source>Find a policy</source>
        <translation>Regel suchen</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>eingeklappt</translation>
    </message>
    <message>
        <source>unfolded</source>
        <translation>ausgeklappt</translation>
    </message>
    <message>
        <source>No policy says &quot;%1&quot;: not its name, its values or what they mean.</source>
        <translation>Keine Regel sagt „%1“: weder ihr Name noch ihre Werte oder was sie bedeuten.</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::PolicyBox</name>
    <message>
        <source>The peak under this value, against the plan shown, and every other figure that would be another: bytes of arenas and caller in all, tensors saved for the backward graph, estimated time, nodes that run</source>
        <translation>Die Spitze mit diesem Wert, gegen den gezeigten Plan, und jede andere Zahl, die sich änderte: Bytes von Arenen und Aufrufer zusammen, für rückwärts gespeicherte Tensoren, geschätzte Zeit, ausgeführte Knoten</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>geschlossen</translation>
    </message>
    <message>
        <source>Without effect: %1.</source>
        <translation>Ohne Wirkung: %1.</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::PolicyCosts</name>
    <message>
        <source>Planning with %1: %2</source>
        <translation>Planen mit %1: %2</translation>
    </message>
    <message>
        <source>%1, %2 more to try</source>
        <translation>%1, %2 noch zu versuchen</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::ProblemPage</name>
    <message>
        <source>%1 cannot be planned as asked</source>
        <translation>%1 kann so nicht geplant werden</translation>
    </message>
    <message>
        <source>%1 cannot be opened</source>
        <translation>%1 kann nicht geöffnet werden</translation>
    </message>
    <message>
        <source>%1 does not fit %2</source>
        <translation>%1 passt nicht zu %2</translation>
    </message>
    <message>
        <source>Problem page</source>
        <translation>Problemseite</translation>
    </message>
    <message>
        <source>The file around the problem</source>
        <translation>Die Datei um das Problem herum</translation>
    </message>
    <message>
        <source>Try another…</source>
        <translation>Andere versuchen …</translation>
    </message>
    <message>
        <source>Open another file</source>
        <translation>Eine andere Datei öffnen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Read the same file again</source>
        <translation>Dieselbe Datei noch einmal lesen</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Copy all of this as text</source>
        <translation>All dies als Text kopieren</translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>Startseite</translation>
    </message>
    <message>
        <source>Samples and recent files</source>
        <translation>Beispiele und zuletzt geöffnete Dateien</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Stelle</translation>
    </message>
    <message>
        <source>Looks like</source>
        <translation>Sieht aus wie</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Was zu tun ist</translation>
    </message>
    <message>
        <source>Plimsoll cannot open %1
%2
Place: %3
Looks like: %4 (%5)
What to do: %6

%7</source>
        <translation>Plimsoll kann %1 nicht öffnen
%2
Stelle: %3
Sieht aus wie: %4 (%5)
Was zu tun ist: %6

%7</translation>
    </message>
    <message>
        <source>No file is open.</source>
        <translation>Keine Datei ist geöffnet.</translation>
    </message>
    <message>
        <source>Nothing is wrong with this file.</source>
        <translation>Mit dieser Datei ist alles in Ordnung.</translation>
    </message>
    <message>
        <source>It was read and planned.</source>
        <translation>Sie wurde gelesen und geplant.</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::RunPane</name>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Run the graph under this plan, beside the oracle</source>
        <translation>Den Graphen mit diesem Plan ausführen, neben dem Orakel</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>numeric: every operator computes. fingerprint: an operator without a kernel fills its outputs with a hash of what it read. auto: numeric where all kernels exist</source>
        <translation>numeric: Jeder Operator rechnet. fingerprint: Ein Operator ohne Kernel füllt seine Ausgaben mit einem Hash des Gelesenen. auto: numeric, wo alle Kernel vorhanden sind</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Inputs that are not given are drawn from it</source>
        <translation>Eingaben, die nicht angegeben sind, werden daraus gezogen</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>As well as with the oracle: within a bound for each operator</source>
        <translation>Außer mit dem Orakel auch damit vergleichen: innerhalb einer Schranke je Operator</translation>
    </message>
    <message>
        <source>write probe</source>
        <translation>Schreibprobe</translation>
    </message>
    <message>
        <source>After the run, write through every output and every input that the caller can look at, one after the other, and tell which others changed; then run again over it</source>
        <translation>Nach dem Lauf durch jede Ausgabe und jede Eingabe schreiben, die der Aufrufer sehen kann, eine nach der anderen, und sagen, welche anderen sich ändern; dann noch einmal darüber ausführen</translation>
    </message>
    <message>
        <source>emulate device</source>
        <translation>Gerät nachbilden</translation>
    </message>
    <message>
        <source>Run the device&apos;s kernels in memory of the host. Right or wrong shows, fast or slow does not</source>
        <translation>Die Kernel des Geräts im Speicher des Rechners ausführen. Richtig oder falsch zeigt sich, schnell oder langsam nicht</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>Fortschritt des Laufs</translation>
    </message>
    <message>
        <source>Mismatches and outputs</source>
        <translation>Abweichungen und Ausgaben</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>Wird ausgeführt …</translation>
    </message>
    <message>
        <source>Running: step %1 of %2</source>
        <translation>Wird ausgeführt: Schritt %1 von %2</translation>
    </message>
    <message>
        <source>It could not be run here.</source>
        <translation>Hier war kein Lauf möglich.</translation>
    </message>
    <message>
        <source>Not run yet.</source>
        <translation>Noch nicht ausgeführt.</translation>
    </message>
    <message>
        <source>A run executes the graph under this plan, and once more without any sharing (the oracle). If the plan is right, every byte is equal.</source>
        <translation>Ein Lauf führt den Graphen mit diesem Plan aus und noch einmal ohne jede Teilung (das Orakel). Stimmt der Plan, so ist jedes Byte gleich.</translation>
    </message>
    <message>
        <source>■ The plan is not legal: what a run computes under it may be wrong.</source>
        <translation>■ Der Plan ist unzulässig: Was ein Lauf damit berechnet, kann falsch sein.</translation>
    </message>
    <message>
        <source>▲ The plan has %1. A run replays it, and says what became of the outputs.</source>
        <translation>▲ Der Plan hat %1. Ein Lauf wiederholt ihn und sagt, was aus den Ausgaben wurde.</translation>
    </message>
    <message>
        <source>▲ The plan has %1. A run does not look for that; a write probe does.</source>
        <translation>▲ Der Plan hat %1. Ein Lauf sucht nicht danach; eine Schreibprobe schon.</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>Den Lauf abbrechen</translation>
    </message>
    <message>
        <source>keep bytes</source>
        <translation>Bytes aufbewahren</translation>
    </message>
    <message>
        <source>Keep what each step writes, up to %1, to look at it step by step in the pane Bytes</source>
        <translation>Aufbewahren, was jeder Schritt schreibt, bis zu %1, um es im Bereich Bytes Schritt für Schritt anzusehen</translation>
    </message>
    <message>
        <source>Looking for the guilty sharing: run %1</source>
        <translation>Suche nach der schuldigen Teilung: Lauf %1</translation>
    </message>
    <message>
        <source>Find the guilty sharing</source>
        <translation>Schuldige Teilung finden</translation>
    </message>
    <message>
        <source>Run the plan again and again, with values laid apart, until the sharings that make it go wrong are named</source>
        <translation>Den Plan immer wieder ausführen, mit Werten auf getrennten Bytes, bis die Teilungen benannt sind, an denen es liegt</translation>
    </message>
    <message>
        <source>poison</source>
        <translation>vergiften</translation>
    </message>
    <message>
        <source>Overwrite dead bytes with a pattern and watch the guard zones around arenas, so that a late read or a write beside shows. Without it the run shows what a runtime would</source>
        <translation>Tote Bytes mit einem Muster überschreiben und die Schutzzonen um Arenen beobachten, damit sich ein spätes Lesen oder ein Schreiben daneben zeigt. Ohne das zeigt der Lauf, was eine Laufzeitumgebung zeigen würde</translation>
    </message>
    <message>
        <source>Reading the inputs</source>
        <translation>Die Eingaben werden gelesen</translation>
    </message>
    <message>
        <source>What was recorded, and is stepped through, is the run %1.</source>
        <translation>Aufgezeichnet ist der Lauf %1; durch ihn führen die Schritte.</translation>
    </message>
    <message>
        <source>Type, or node</source>
        <translation>Typ oder Knoten</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::SearchCanvas</name>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Nothing was searched: this plan was handed in.</source>
        <translation>Nichts wurde gesucht: Dieser Plan wurde übergeben.</translation>
    </message>
    <message>
        <source>%1 after %2</source>
        <translation>%1 nach %2</translation>
    </message>
    <message>
        <source>bound %1</source>
        <translation>Schranke %1</translation>
    </message>
    <message>
        <source>found by %1</source>
        <translation>gefunden von %1</translation>
    </message>
    <message>
        <source>%1 units of work</source>
        <translation>%1 Arbeitseinheiten</translation>
    </message>
    <message>
        <source>The best plan and the proved bound over the time of the search. Arrow keys go from plan to plan.</source>
        <translation>Der beste Plan und die bewiesene Schranke über die Zeit der Suche. Pfeiltasten gehen von Plan zu Plan.</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::SearchJob</name>
    <message>
        <source>Searching for a lower plan</source>
        <translation>Suche nach einem niedrigeren Plan</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::SearchPane</name>
    <message>
        <source>10 s</source>
        <translation>10 s</translation>
    </message>
    <message>
        <source>1 min</source>
        <translation>1 min</translation>
    </message>
    <message>
        <source>10 min</source>
        <translation>10 min</translation>
    </message>
    <message>
        <source>until stopped</source>
        <translation>bis zum Stopp</translation>
    </message>
    <message>
        <source>Search longer</source>
        <translation>Länger suchen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Look longer for a lower plan</source>
        <translation>Länger nach einem niedrigeren Plan suchen</translation>
    </message>
    <message>
        <source>End the search and keep the best plan so far</source>
        <translation>Die Suche beenden und den bisher besten Plan behalten</translation>
    </message>
    <message>
        <source>How long</source>
        <translation>Wie lange</translation>
    </message>
    <message>
        <source>How long to search, if no proof ends it before</source>
        <translation>Wie lange gesucht wird, falls kein Beweis sie vorher beendet</translation>
    </message>
    <message>
        <source>Searching for %1 s; the plan shown needs %2</source>
        <translation>Suche seit %1 s; der gezeigte Plan braucht %2</translation>
    </message>
    <message>
        <source>A plan that was handed in is judged and not improved.</source>
        <translation>Ein übergebener Plan wird geprüft und nicht verbessert.</translation>
    </message>
    <message>
        <source>%1: %2. %3 searches.</source>
        <translation>%1: %2. %3 sucht.</translation>
    </message>
    <message>
        <source>%1 by %2, after %3 of %4: %5</source>
        <translation>%1 durch %2, nach %3 von %4: %5</translation>
    </message>
    <message>
        <source>An edited plan is judged and not improved.</source>
        <translation>Ein geänderter Plan wird geprüft und nicht verbessert.</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::Session</name>
    <message>
        <source>Reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
    <message>
        <source>Planning</source>
        <translation>Planen</translation>
    </message>
    <message>
        <source>A finding laid apart</source>
        <translation>Ein Befund auseinandergelegt</translation>
    </message>
    <message>
        <source>The plan %1</source>
        <translation>Der Plan %1</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::ShapesPane</name>
    <message>
        <source>Shapes that the file does not give</source>
        <translation>Formen, die in der Datei fehlen</translation>
    </message>
    <message>
        <source>Shape of %1</source>
        <translation>Form von %1</translation>
    </message>
    <message>
        <source>%1 is no shape: sizes with x between them are, such as 1x3x224x224</source>
        <translation>%1 ist keine Form: Größen mit x dazwischen sind eine, etwa 1x3x224x224</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::ShortcutSheet</name>
    <message>
        <source>&amp;Set</source>
        <translation>&amp;Setzen</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>&amp;No key</source>
        <translation>&amp;Keine Taste</translation>
    </message>
    <message>
        <source>&amp;Default</source>
        <translation>&amp;Vorgabe</translation>
    </message>
    <message>
        <source>&amp;Take it over</source>
        <translation>&amp;Übernehmen</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Wirkung</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>&amp;Importieren …</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>&amp;Exportieren …</translation>
    </message>
    <message>
        <source>A&amp;ll to default</source>
        <translation>&amp;Alle auf Vorgabe</translation>
    </message>
    <message>
        <source>In a picture that has the keyboard</source>
        <translation>In einem Bild, das die Tastatur hat</translation>
    </message>
    <message>
        <source>New keys</source>
        <translation>Neue Tasten</translation>
    </message>
    <message>
        <source>&amp;Keys of “%1”:</source>
        <translation>&amp;Tasten von „%1“:</translation>
    </message>
    <message>
        <source>&amp;Keys:</source>
        <translation>&amp;Tasten:</translation>
    </message>
    <message>
        <source>In a picture that has the keyboard it does something else: %1.</source>
        <translation>In einem Bild, das die Tastatur hat, bewirkt es etwas anderes: %1.</translation>
    </message>
    <message>
        <source>Export the shortcuts</source>
        <translation>Tastenkürzel exportieren</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Geschrieben: %1</translation>
    </message>
    <message>
        <source>Import shortcuts</source>
        <translation>Tastenkürzel importieren</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>Rück&amp;gängig</translation>
    </message>
    <message>
        <source>The keys as they were before all were set to their defaults</source>
        <translation>Die Tasten, wie sie waren, bevor alle auf ihre Vorgaben gesetzt wurden</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::StartPage</name>
    <message>
        <source>Drawing the samples</source>
        <translation>Beispiele werden gezeichnet</translation>
    </message>
    <message>
        <source>Two tensors at one place</source>
        <translation>Zwei Tensoren an einem Platz</translation>
    </message>
    <message>
        <source>Written over before it was read</source>
        <translation>Überschrieben vor dem Lesen</translation>
    </message>
    <message>
        <source>Branches and loops</source>
        <translation>Zweige und Schleifen</translation>
    </message>
    <message>
        <source>Too small, misplaced, or nowhere</source>
        <translation>Zu klein, verschoben oder nirgends</translation>
    </message>
    <message>
        <source>What the caller notices</source>
        <translation>Was der Aufrufer bemerkt</translation>
    </message>
    <message>
        <source>Declared or ordered wrongly</source>
        <translation>Falsch deklariert oder geordnet</translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>Startseite</translation>
    </message>
    <message>
        <source>Shows how a deep-learning graph is loaded into memory, how deep it may go, and whether the loading is legal.</source>
        <translation>Zeigt, wie ein Deep-Learning-Graph in den Speicher geladen wird, wie tief er gehen darf und ob die Ladung zulässig ist.</translation>
    </message>
    <message>
        <source>Open a graph…</source>
        <translation>Graph öffnen …</translation>
    </message>
    <message>
        <source>Open a captured graph, a table of buffers or a memory snapshot</source>
        <translation>Einen Graphen, eine Puffertabelle oder einen Speicherabzug öffnen</translation>
    </message>
    <message>
        <source>Take the tour</source>
        <translation>Zum Rundgang</translation>
    </message>
    <message>
        <source>Five stops, from the verdict to the run</source>
        <translation>Fünf Stationen, vom Urteil bis zum Lauf</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Real bugs</source>
        <translation>Echte Fehler</translation>
    </message>
    <message>
        <source>Public reports of damaged memory, each as a small graph with the plan that shows it. The plan is judged as it is.</source>
        <translation>Öffentlich gemeldete Speicherschäden, jeder als kleiner Graph mit dem Plan, der ihn zeigt. Der Plan wird so geprüft, wie er ist.</translation>
    </message>
    <message>
        <source>This build carries no samples.</source>
        <translation>Dieses Programm wurde ohne Beispiele gebaut.</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Empty this list; the files stay</source>
        <translation>Diese Liste leeren; die Dateien bleiben</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>What can be opened</source>
        <translation>Was sich öffnen lässt</translation>
    </message>
    <message>
        <source>not there any more</source>
        <translation>nicht mehr da</translation>
    </message>
    <message>
        <source>None yet.</source>
        <translation>Noch keine.</translation>
    </message>
    <message>
        <source>&lt;p&gt;Drop a file anywhere on this window, or paste its path or its text with %1.&lt;/p&gt;</source>
        <translation>&lt;p&gt;Eine Datei irgendwo auf dieses Fenster ziehen oder ihren Pfad oder Text mit %1 einfügen.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Do not restore</source>
        <translation>Nicht wiederherstellen</translation>
    </message>
    <message>
        <source>Remove what was kept of these</source>
        <translation>Entfernen, was davon gesichert war</translation>
    </message>
    <message>
        <source>Restore what was open</source>
        <translation>Wiederherstellen, was offen war</translation>
    </message>
    <message>
        <source>and %1 older ones</source>
        <translation>und %1 ältere</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::StepPanel</name>
    <message>
        <source>Facts of the step</source>
        <translation>Fakten zum Schritt</translation>
    </message>
    <message>
        <source>Previous step</source>
        <translation>Voriger Schritt</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>Nächster Schritt</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::SummaryStrip</name>
    <message>
        <source>Graph of the file</source>
        <translation>Graph der Datei</translation>
    </message>
    <message>
        <source>The file holds several graphs: which one is shown</source>
        <translation>Die Datei enthält mehrere Graphen: welcher gezeigt wird</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>Erneut fragen</translation>
    </message>
    <message>
        <source>Ask the backends what they offer, and plan with it</source>
        <translation>Die Backends fragen, was sie anbieten, und damit planen</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation>Untere Schranke</translation>
    </message>
    <message>
        <source>Maximum over steps of live bytes: no plan with this sharing is lower</source>
        <translation>Größte Summe belegter Bytes eines Schrittes: Kein Plan mit dieser Teilung liegt darunter</translation>
    </message>
    <message>
        <source>No reuse</source>
        <translation>Ohne Wiederverwendung</translation>
    </message>
    <message>
        <source>A place of its own for every storage</source>
        <translation>Ein eigener Platz für jeden Speicherblock</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>From forward to backward, a part of the peak; without what the caller holds anyway</source>
        <translation>Von vorwärts bis rückwärts, ein Teil der Spitze; ohne das, was der Aufrufer ohnehin hält</translation>
    </message>
    <message>
        <source>External</source>
        <translation>Extern</translation>
    </message>
    <message>
        <source>Inputs, parameters and constants: the caller&apos;s bytes, outside the plan</source>
        <translation>Eingaben, Parameter und Konstanten: Bytes des Aufrufers, außerhalb des Plans</translation>
    </message>
    <message>
        <source>Provisional: planned without what the backends offer. %1 </source>
        <translation>Vorläufig: geplant ohne die Angebote der Backends. %1 </translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>Reserviert</translation>
    </message>
    <message>
        <source>The most that the allocator had reserved at once; the picture shows all addresses that ever were. Click: the step at which most is alive</source>
        <translation>Das meiste, das der Allokator zugleich reserviert hatte; das Bild zeigt alle Adressen, die es je gab. Klick: der Schritt, an dem am meisten belegt ist</translation>
    </message>
    <message>
        <source>%1  ·  %2  ·  %3  ·  %4 planned</source>
        <translation>%1  ·  %2  ·  %3  ·  %4 geplant</translation>
    </message>
    <message>
        <source>1 value</source>
        <translation>1 Wert</translation>
    </message>
    <message>
        <source>%1 values</source>
        <translation>%1 Werte</translation>
    </message>
    <message>
        <source>No plan of this order and terms is lower, whatever shares</source>
        <translation>Kein Plan dieser Reihenfolge und dieser Bedingungen ist niedriger, was auch immer sich Bytes teilt</translation>
    </message>
    <message>
        <source>1 storage</source>
        <translation>1 Block</translation>
    </message>
    <message>
        <source>%1 storages</source>
        <translation>%1 Blöcke</translation>
    </message>
    <message>
        <source>1 finding</source>
        <translation>1 Befund</translation>
    </message>
    <message>
        <source>%1 findings</source>
        <translation>%1 Befunde</translation>
    </message>
    <message>
        <source>, %1 suppressed</source>
        <translation>, %1 unterdrückt</translation>
    </message>
    <message>
        <source>Show the findings</source>
        <translation>Die Befunde zeigen</translation>
    </message>
    <message>
        <source>Legal</source>
        <translation>Zulässig</translation>
    </message>
    <message>
        <source>Warned</source>
        <translation>Gewarnt</translation>
    </message>
    <message>
        <source>Not legal</source>
        <translation>Unzulässig</translation>
    </message>
    <message>
        <source>Against the plan before the last change, or what it is compared with</source>
        <translation>Gegenüber dem Plan vor der letzten Änderung, oder gegenüber dem, womit verglichen wird</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>The change was not made: back to the verdict on the plan</source>
        <translation>Die Änderung wurde nicht gemacht: zurück zum Urteil über den Plan</translation>
    </message>
    <message>
        <source>%1 The plan stays as it was. %2</source>
        <translation>%1 Der Plan bleibt, wie er war. %2</translation>
    </message>
    <message>
        <source>Waste</source>
        <translation>Verschwendung</translation>
    </message>
    <message>
        <source>What the peak is above the lower bound</source>
        <translation>Was die Spitze über der unteren Schranke liegt</translation>
    </message>
    <message>
        <source>The sharing is not legal: a bound with it says nothing of plans without</source>
        <translation>Die Teilung ist nicht erlaubt: Eine Schranke mit ihr sagt nichts über Pläne ohne sie</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::SweepCanvas</name>
    <message>
        <source>Sweep</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>Peak and lower bound for many sizes or policies. Arrow keys go from point to point; Return plans so.</source>
        <translation>Spitze und untere Schranke für viele Größen oder Regeln. Pfeiltasten gehen von Punkt zu Punkt; Eingabe plant so.</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>Spitze %1</translation>
    </message>
    <message>
        <source>lower bound %1</source>
        <translation>untere Schranke %1</translation>
    </message>
    <message>
        <source>the caller has %1</source>
        <translation>der Aufrufer hat %1</translation>
    </message>
    <message>
        <source>kernels %1</source>
        <translation>Kernel %1</translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>unvollständig</translation>
    </message>
    <message>
        <source>double-click or Return: plan so</source>
        <translation>Doppelklick oder Eingabe: so planen</translation>
    </message>
    <message>
        <source>capacity of %1</source>
        <translation>Kapazität von %1</translation>
    </message>
    <message>
        <source>this plan</source>
        <translation>dieser Plan</translation>
    </message>
    <message>
        <source>peak, and its lower bound; filled: no other of these sizes is better</source>
        <translation>Spitze und ihre untere Schranke; gefüllt: kein anderer Plan dieser Größen ist besser</translation>
    </message>
    <message>
        <source>peak, and its lower bound</source>
        <translation>Spitze und ihre untere Schranke</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::SweepFrontCanvas</name>
    <message>
        <source>Time against peak of a sweep</source>
        <translation>Zeit gegen Spitze einer Reihe</translation>
    </message>
    <message>
        <source>Time and peak of each combination, with a line through those that no other of the same sizes beats in both. Arrow keys go from point to point; Return plans so.</source>
        <translation>Zeit und Spitze jeder Kombination, mit einer Linie durch die, die keine andere derselben Größen in beidem schlägt. Pfeiltasten gehen von Punkt zu Punkt; die Eingabetaste plant so.</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::SweepPane</name>
    <message>
        <source>Planning with %1…</source>
        <translation>Planen mit %1…</translation>
    </message>
    <message>
        <source>What is varied</source>
        <translation>Was sich ändert</translation>
    </message>
    <message>
        <source>batch=1..64 inplace=*</source>
        <translation>batch=1..64 inplace=*</translation>
    </message>
    <message>
        <source>What is varied: batch=1..64 (each twice the one before), sequence=128,512, inplace=* (all values). Several, with blanks between them: every combination.</source>
        <translation>Was sich ändert: batch=1..64 (jeweils das Doppelte), sequence=128,512, inplace=* (alle Werte). Mehrere, durch Leerzeichen getrennt: jede Kombination.</translation>
    </message>
    <message>
        <source>Vary…</source>
        <translation>Ändern…</translation>
    </message>
    <message>
        <source>Vary one more size or policy</source>
        <translation>Eine weitere Größe oder Regel ändern</translation>
    </message>
    <message>
        <source>Sizes and policies that can be varied</source>
        <translation>Größen und Regeln, die sich ändern lassen</translation>
    </message>
    <message>
        <source>Work out</source>
        <translation>Ermitteln</translation>
    </message>
    <message>
        <source>Plan for every combination</source>
        <translation>Für jede Kombination planen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Plan so</source>
        <translation>So planen</translation>
    </message>
    <message>
        <source>Plan by the combination that is selected</source>
        <translation>Nach der gewählten Kombination planen</translation>
    </message>
    <message>
        <source>Progress of the sweep</source>
        <translation>Fortschritt der Reihe</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>Planen…</translation>
    </message>
    <message>
        <source>Say above what is to be varied: sizes of the graph, or policies.</source>
        <translation>Oben steht, was sich ändern soll: Größen des Graphen oder Regeln.</translation>
    </message>
    <message>
        <source>A plan that was handed in is judged; it has one size.</source>
        <translation>Ein übergebener Plan wird geprüft; er hat eine Größe.</translation>
    </message>
    <message>
        <source>1 combination</source>
        <translation>1 Kombination</translation>
    </message>
    <message>
        <source>%1 combinations</source>
        <translation>%1 Kombinationen</translation>
    </message>
    <message>
        <source>Stopped after %1</source>
        <translation>Gestoppt nach %1</translation>
    </message>
    <message>
        <source>What the chart shows</source>
        <translation>Was das Diagramm zeigt</translation>
    </message>
    <message>
        <source>Peak by size</source>
        <translation>Spitze nach Größe</translation>
    </message>
    <message>
        <source>Time by peak</source>
        <translation>Zeit nach Spitze</translation>
    </message>
    <message>
        <source>Peak by size: along what is varied first. Time by peak: which combinations no other beats</source>
        <translation>Spitze nach Größe: entlang dessen, was zuerst verändert wird. Zeit nach Spitze: welche Kombinationen keine andere schlägt</translation>
    </message>
    <message>
        <source>No times are known: choose a backend, or measure implementations.</source>
        <translation>Keine Zeiten sind bekannt: ein Backend wählen oder Umsetzungen messen.</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::TablePane</name>
    <message>
        <source>Keep the filter</source>
        <translation>Filter merken</translation>
    </message>
    <message>
        <source>&amp;Keep this filter as…</source>
        <translation>Diesen Filter &amp;merken als …</translation>
    </message>
    <message>
        <source>Filter: words, %1, not, or</source>
        <translation>Filter: Wörter, %1, nicht, oder</translation>
    </message>
    <message>
        <source>Words must occur in the row; column&gt;number and column=word compare. &apos;not&apos; turns the next around, &apos;or&apos; stands between alternatives</source>
        <translation>Wörter müssen in der Zeile vorkommen; Spalte&gt;Zahl und Spalte=Wort vergleichen. „not“ kehrt das Nächste um, „or“ steht zwischen Alternativen</translation>
    </message>
    <message>
        <source>Copy row</source>
        <translation>Zeile kopieren</translation>
    </message>
    <message>
        <source>Copy all rows</source>
        <translation>Alle Zeilen kopieren</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>%1 of %2 rows</source>
        <translation>%1 von %2 Zeilen</translation>
    </message>
    <message>
        <source>%1, all together %2</source>
        <translation>%1, alle zusammen %2</translation>
    </message>
    <message>
        <source>No row matches the filter.</source>
        <translation>Keine Zeile passt zum Filter.</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>kein Unterschied</translation>
    </message>
    <message>
        <source>Filters that are kept by name, for this view</source>
        <translation>Filter dieser Ansicht, die unter einem Namen gemerkt sind</translation>
    </message>
    <message>
        <source>Kept: %1</source>
        <translation>Aufbewahrt: %1</translation>
    </message>
    <message>
        <source>Filter of %1</source>
        <translation>Filter für %1</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::Tour</name>
    <message>
        <source>The verdict</source>
        <translation>Das Urteil</translation>
    </message>
    <message>
        <source>Whether the plan is legal, how high its peak is, and at which step. No plan of this order is below the lower bound. A click on a figure goes to what makes it.</source>
        <translation>Ob der Plan zulässig ist, wie hoch seine Spitze ist und in welchem Schritt. Kein Plan dieser Reihenfolge liegt unter der unteren Schranke. Ein Klick auf eine Zahl führt zu ihrer Ursache.</translation>
    </message>
    <message>
        <source>Time × address</source>
        <translation>Zeit × Adresse</translation>
    </message>
    <message>
        <source>Each bar is a tensor: as wide as the steps in which its bytes matter, as high as its bytes. What stands above one another is alive at once. Bars of one storage have one colour. Click one.</source>
        <translation>Jeder Balken ist ein Tensor: so breit wie die Schritte, in denen seine Bytes gebraucht werden, so hoch wie seine Bytes. Was übereinander steht, ist zugleich belegt. Balken eines Speicherblocks haben eine Farbe. Einen anklicken.</translation>
    </message>
    <message>
        <source>What may share</source>
        <translation>Was sich teilen darf</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Of what is picked: where it lies and when, with whom it shares its bytes, and the reason of each decision. With nothing picked, what is alive at the step cursor.</source>
        <translation>Zur Auswahl: wo sie liegt und wann, mit wem sie sich Bytes teilt und der Grund jeder Entscheidung. Ohne Auswahl: was am Schrittcursor belegt ist.</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>Was falsch ist</translation>
    </message>
    <message>
        <source>Every rule that a plan breaks, with bytes, steps and a way out; also of a plan that another tool made (File › Judge a plan). The tab Run executes the graph in these bytes and compares.</source>
        <translation>Jede verletzte Vorschrift mit Bytes, Schritten und einem Ausweg; auch bei einem Plan aus einem anderen Werkzeug (Datei › Plan prüfen). Der Reiter Lauf führt den Graphen in diesen Bytes aus und vergleicht.</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>Rundgang</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Every other value of every policy has been planned for real; what it would change stands beside it. Choose one: the plan is made anew at once. %1 takes it back, B held down shows the plan before.</source>
        <translation>Jeder andere Wert jeder Regel ist wirklich geplant worden; was er ändern würde, steht daneben. Einen wählen: Der Plan wird sofort neu gemacht. %1 nimmt es zurück, B gedrückt gehalten zeigt den Plan davor.</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::TradeOffCanvas</name>
    <message>
        <source>Time against peak</source>
        <translation>Zeit gegen Spitze</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::TradeOffJob</name>
    <message>
        <source>Working out time against peak</source>
        <translation>Zeit gegen Spitze wird ermittelt</translation>
    </message>
</context>
<context>
    <name>plimsoll::app::TradeOffPane</name>
    <message>
        <source>Plan so</source>
        <translation>So planen</translation>
    </message>
    <message>
        <source>Plan by the choice that is selected: the fastest within its capacity</source>
        <translation>Nach der ausgewählten Wahl planen: die schnellste innerhalb ihrer Kapazität</translation>
    </message>
    <message>
        <source>Work out</source>
        <translation>Ermitteln</translation>
    </message>
    <message>
        <source>Find the choices of implementations that no other beats in time and in bytes</source>
        <translation>Die Wahlen von Umsetzungen finden, die keine andere in Zeit und Bytes übertrifft</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Progress of time against peak</source>
        <translation>Fortschritt von Zeit gegen Spitze</translation>
    </message>
    <message>
        <source>A plan that was handed in is judged; nothing is chosen.</source>
        <translation>Ein übergebener Plan wird geprüft; gewählt wird nichts.</translation>
    </message>
    <message>
        <source>Planning with other choices of implementations…</source>
        <translation>Planen mit anderen Umsetzungen …</translation>
    </message>
    <message>
        <source>Not worked out yet.</source>
        <translation>Noch nicht ermittelt.</translation>
    </message>
    <message>
        <source>No backend offers implementations to choose from.</source>
        <translation>Kein Backend bietet Umsetzungen zur Wahl an.</translation>
    </message>
    <message>
        <source>%1 choices that no other beats in time and bytes</source>
        <translation>%1 Wahlen, die keine andere in Zeit und Bytes übertrifft</translation>
    </message>
    <message>
        <source>1 choice that no other beats in time and bytes</source>
        <translation>1 Wahl, die keine andere in Zeit und Bytes übertrifft</translation>
    </message>
</context>
</TS>
