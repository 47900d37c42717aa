<?php
// Doctrine's DBAL and Laravel's database layer, whose drivers are PDO.
//
//     phporm_tool.php ASKPG_PORT SERVER_PORT
require 'Doctrine/DBAL/autoload.php';
require 'Illuminate/Database/autoload.php';

use Doctrine\DBAL\DriverManager;
use Illuminate\Database\Capsule\Manager;
use Illuminate\Database\Eloquent\Model;

[, $askpg, $server] = $argv;
[$count, $names, $wrong] = ['how many customers in Germany', 'customers in Germany', 'how many florps'];
$both = 'id and name of customers in Germany';
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

function refused(callable $ask): Throwable {
    try {
        $ask();
    } catch (Throwable $e) {
        return $e;
    }
    return new Exception('it was answered');
}

function sorted(array $list): array {
    sort($list);
    return $list;
}

$direct = new PDO("pgsql:host=127.0.0.1;port=$server;dbname=shop", 'analyst');
$want = $direct->query($sql)->fetchColumn();
$all = sorted($direct->query("SELECT name FROM customers WHERE country = 'Germany'")->fetchAll(PDO::FETCH_COLUMN));
$paged = $direct->query("SELECT name FROM customers WHERE country = 'Germany' ORDER BY 1 LIMIT 2 OFFSET 1")->fetchAll(PDO::FETCH_COLUMN);
$forms = ["-- ask: $count", "/* ask: $count */", "ASK '$count'", "SELECT * FROM ask('$count') AS r", "-- ask: $count?", "ASK $count?"];

$c = DriverManager::getConnection(['driver' => 'pdo_pgsql', 'host' => '127.0.0.1', 'port' => $askpg, 'dbname' => 'shop', 'user' => 'analyst']);
foreach ($forms as $form) {
    check("Doctrine, fetchOne, $form", $c->fetchOne($form), $want);
    check("Doctrine, executeQuery, $form", $c->executeQuery($form)->fetchAllNumeric(), [[$want]]);
    $s = $c->prepare($form);
    foreach ([1, 2] as $time) {
        check("Doctrine, prepared, $form, $time", $s->executeQuery()->fetchOne(), $want);
    }
}
check('Doctrine, value', $c->fetchOne('ASK how many customers in ?', ['Germany']), $want);
check('Doctrine, named value', $c->fetchOne('ASK how many customers in :country', ['country' => 'Germany']), $want);
check('Doctrine, question bound', $c->fetchOne('SELECT * FROM ask(:q) AS r', ['q' => $count]), $want);
check('Doctrine, its SQL', $c->fetchOne("SELECT sql FROM ask(?, 'sql') AS r", [$count]), $sql);
check('Doctrine, limited', $c->fetchFirstColumn($c->getDatabasePlatform()->modifyLimitQuery("-- ask: $names\nORDER BY 1", 2, 1)), $paged);
foreach (["ask('$names')" => 'r', "(-- ask: $names\n)" => 't', "(/* ask: $names */)" => 't'] as $from => $alias) {
    $q = $c->createQueryBuilder()->select("$alias.name")->from($from, $alias)->orderBy('1')->setFirstResult(1)->setMaxResults(2);
    check("Doctrine, query builder, $from", $q->executeQuery()->fetchFirstColumn(), $paged);
}
$c->beginTransaction();
$e = refused(fn() => $c->fetchOne("-- ask: $wrong"));
check('Doctrine, error', [$e->getPrevious()->getSQLState(), preg_match('/florps.*HINT/s', $e->getMessage())], ['ASK01', 1]);
check('Doctrine, the transaction goes on', $c->fetchOne('SELECT 1'), 1);
$c->commit();

class Customer extends Model {
    public $timestamps = false;
}
$manager = new Manager();
$manager->addConnection(['driver' => 'pgsql', 'host' => '127.0.0.1', 'port' => $askpg, 'database' => 'shop', 'username' => 'analyst', 'password' => '', 'charset' => 'utf8']);
$manager->setAsGlobal();
$manager->bootEloquent();
$c = $manager->getConnection();
foreach ($forms as $form) {
    check("Laravel, select, $form", (array) $c->selectOne($form), ['count' => $want]);
}
check('Laravel, value', (array) $c->selectOne('ASK how many customers in ?', ['Germany']), ['count' => $want]);
check('Laravel, named value', (array) $c->selectOne('ASK how many customers in :country', ['country' => 'Germany']), ['count' => $want]);
check('Laravel, question bound', (array) $c->selectOne('SELECT * FROM ask(?) AS r', [$count]), ['count' => $want]);
check('Laravel, its SQL', $c->selectOne("SELECT sql FROM ask(?, 'sql') AS r", [$count])->sql, $sql);
check('Laravel, cursor', sorted(array_map(fn($row) => $row->name, iterator_to_array($c->cursor("-- ask: $names"), false))), $all);
foreach (["ask('$names') AS r", "(-- ask: $names\n) t", "(/* ask: $names */) t"] as $from) {
    $q = fn() => $c->query()->fromRaw($from);
    check("Laravel, from, paged, $from", $q()->orderBy('name')->offset(1)->limit(2)->pluck('name')->all(), $paged);
    check("Laravel, from, counted, $from", $q()->count(), $want);
    check("Laravel, from, filtered, $from", $q()->where('name', $paged[0])->value('name'), $paged[0]);
}
check('Laravel, from a bound question', $c->query()->fromRaw('ask(?) AS r', [$names])->count(), $want);
check('Eloquent, hydrate', count(Customer::fromQuery("-- ask: $both")), $want);
check('Eloquent, from', Customer::query()->fromRaw("ask('$both') AS customers")->where('id', '>', 0)->orderBy('name')->skip(1)->take(2)->pluck('name')->all(), $paged);
$c->beginTransaction();
$e = refused(fn() => $c->select("-- ask: $wrong"));
check('Laravel, error', [$e->getCode(), preg_match('/florps.*HINT/s', $e->getMessage())], ['ASK01', 1]);
check('Laravel, the transaction goes on', $c->selectOne('SELECT 1 AS x')->x, 1);
$c->commit();
exit($failed);
