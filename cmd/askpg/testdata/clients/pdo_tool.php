<?php
// PDO, with and without its own placeholders and prepared statements, and PHP's functions for libpq.
//
//     pdo_tool.php ASKPG_PORT SERVER_PORT
[, $askpg, $server] = $argv;
[$count, $names, $wrong] = ['how many customers in Germany', 'customers in Germany', 'how many florps'];
$sql = "SELECT count(*) FROM customers WHERE country = 'Germany'";
$failed = 0;

function check(string $name, $got, $want): void {
    global $failed;
    if ($got === $want) {
        echo "ok $name\n";
    } else {
        $failed = 1;
        echo "FAILED $name: ", json_encode($got), ', want ', json_encode($want), "\n";
    }
}

function handle(string $port, bool $emulated = false, bool $unprepared = false): PDO {
    return new PDO("pgsql:host=127.0.0.1;port=$port;dbname=shop", 'analyst', '', [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
        PDO::ATTR_EMULATE_PREPARES => $emulated, PDO::PGSQL_ATTR_DISABLE_PREPARES => $unprepared]);
}

function rows(PDO $through, string $text, array $values = [], array $options = []): array {
    $h = $through->prepare($text, $options);
    $h->execute($values);
    return $h->fetchAll(PDO::FETCH_NUM);
}

echo '# PHP ', PHP_VERSION, "\n";
$direct = handle($server);
$want = rows($direct, $sql);
$all = array_column(rows($direct, "SELECT name FROM customers WHERE country = 'Germany'"), 0);
sort($all);
$everybody = rows($direct, 'SELECT count(*) FROM customers');
foreach ([[false, false], [true, false], [false, true]] as [$emulated, $unprepared]) {
    $p = handle($askpg, $emulated, $unprepared);
    $how = ($emulated ? 'emulated, ' : '') . ($unprepared ? 'unprepared, ' : '');
    foreach (["-- ask: $count", "/* ask: $count */", "ASK '$count'", "SELECT * FROM ask('$count') AS r"] as $form) {
        check("$how$form", rows($p, $form), $want);
        check("{$how}query, $form", $p->query($form)->fetchAll(PDO::FETCH_NUM), $want);
    }
    // Doctrine's and Laravel's raw queries are prepared by PDO too, and end with a question mark as often as any.
    foreach (['-- ask: how many customers?', '/* ask: how many customers? */', 'ASK how many customers?'] as $form) {
        check("$how$form", rows($p, $form), $everybody);
    }
    check("{$how}value", rows($p, 'ASK how many customers in ?', ['Germany']), $want);
    check("{$how}named value", rows($p, 'ASK how many customers in :country', ['country' => 'Germany']), $want);
    check("{$how}question bound", rows($p, 'SELECT * FROM ask(:q) AS r', ['q' => $count]), $want);
    check("{$how}its SQL", rows($p, "SELECT sql FROM ask(?, 'sql') AS r", [$count]), [[$sql]]);
    check("{$how}paged", count(rows($p, 'SELECT * FROM ask(?) AS r LIMIT ? OFFSET ?', [$names, 10, 20])), 10);
    foreach ([[], [PDO::ATTR_CURSOR => PDO::CURSOR_SCROLL]] as $options) {
        $got = array_column(rows($p, "-- ask: $names", [], $options), 0);
        sort($got);
        check("{$how}rows", $got, $all);
    }
    // PDO finds no ? in a comment: without its own placeholders it leaves it there.
    try {
        $got = rows($p, '-- ask: how many customers ?', ['Germany']);
    } catch (PDOException $e) {
        $got = $emulated || str_contains($e->getMessage(), 'ASK … ?') ? $e->getCode() : $e->getMessage();
    }
    check("{$how}value in a comment", $got, $emulated ? 'HY093' : '08P01');
    $p->beginTransaction();
    try {
        $got = rows($p, "-- ask: $wrong");
    } catch (PDOException $e) {
        $got = [$e->errorInfo[0], preg_match('/florps.*HINT/s', $e->getMessage())];
    }
    check("{$how}error", $got, ['ASK01', 1]);
    check("{$how}the transaction goes on", rows($p, 'SELECT 1'), [[1]]);
    $p->commit();
}
$c = pg_connect("host=127.0.0.1 port=$askpg dbname=shop user=analyst");
$want = [['count' => (string) $want[0][0]]];
check('pg_query', pg_fetch_all(pg_query($c, "-- ask: $count")), $want);
check('its notice', preg_match('/Germany.*confidence/s', pg_last_notice($c)), 1);
check('pg_query_params', pg_fetch_all(pg_query_params($c, '-- ask: how many customers in $1', ['Germany'])), $want);
pg_prepare($c, 'asked', 'SELECT * FROM ask($1) AS r');
check('pg_execute', pg_fetch_all(pg_execute($c, 'asked', [$count])), $want);
exit($failed);
