# DBD::Pg, with each of its ways to prepare.
#
#     dbi_tool.pl ASKPG_PORT SERVER_PORT
use strict;
use warnings;
use DBI;

my ($askpg, $server) = @ARGV;
my ($count, $names, $wrong) = ('how many customers in Germany', 'customers in Germany', 'how many florps');
my $sql    = "SELECT count(*) FROM customers WHERE country = 'Germany'";
my $failed = 0;

sub check {
    my ($name, $got, $want) = @_;
    $got = 'nothing' unless defined $got;
    if ($got eq $want) { print "ok $name\n" }
    else { $failed = 1; print "FAILED $name: $got, want $want\n" }
}

sub handle { DBI->connect("dbi:Pg:host=127.0.0.1;port=$_[0];dbname=shop", 'analyst', '', { RaiseError => 1, PrintError => 0, PrintWarn => 0 }) }
my ($p, $d) = (handle($askpg), handle($server));
print "# DBD::Pg $DBD::Pg::VERSION\n";
my ($want) = $d->selectrow_array($sql);
my $all = join ' ', sort map { $_->[0] } @{ $d->selectall_arrayref("SELECT name FROM customers WHERE country = 'Germany'") };
for my $prepare (0, 1, 2) {
    $p->{pg_server_prepare} = $prepare;
    for my $form ("-- ask: $count", "/* ask: $count */", "ASK '$count'", "SELECT * FROM ask('$count') AS r") {
        my $h = $p->prepare($form);
        for my $time (1, 2) { $h->execute; check("$form, $prepare, $time", $h->fetchrow_array, $want) }
    }
    check('value',          $p->selectrow_array('ASK how many customers in ?', undef, 'Germany'), $want);
    check('question bound', $p->selectrow_array('SELECT * FROM ask(?) AS r', undef, $count), $want);
    check('its SQL',        $p->selectrow_array("SELECT sql FROM ask(?, 'sql') AS r", undef, $count), $sql);
    check('rows', join(' ', sort map { $_->[0] } @{ $p->selectall_arrayref("-- ask: $names") }), $all);
    # The driver finds no place for a value in a comment, and says so.
    eval { $p->selectrow_array('-- ask: how many customers in ?', undef, 'Germany') };
    check('value in a comment', $@ =~ /1 bind variables when 0 are needed/ ? 'refused' : $@, 'refused');
    $p->begin_work;
    eval { $p->selectrow_array("-- ask: $wrong") };
    check('error', join(' ', $p->state, $@ =~ /florps.*HINT/s ? 'whole' : $@), 'ASK01 whole');
    check('HINT', $p->pg_error_field('message_hint') =~ /askpg.last/ ? 1 : 0, 1);
    check('the transaction goes on', $p->selectrow_array('SELECT 1'), 1);
    $p->do("DECLARE c CURSOR FOR -- ask: $names");
    my ($h, $n) = ($p->prepare('FETCH 100 FROM c'), 0);
    while ($h->execute > 0) { $n += $h->rows }
    check('cursor', $n, $want);
    $p->commit;
}
my @warned;
{
    local $SIG{__WARN__} = sub { push @warned, @_ };
    local $p->{PrintWarn} = 1;
    $p->do("-- ask: $count");
}
check('NOTICE', "@warned" =~ /\Q$sql\E.*confidence/s ? 1 : "@warned", 1);
exit $failed;
