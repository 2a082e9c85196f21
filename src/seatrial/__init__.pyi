from seatrial.agents import Refused as Refused
from seatrial.agents import candidate as candidate
from seatrial.grade.safety import Breach as Breach
from seatrial.grade.safety import Findings as Findings
from seatrial.grade.safety import breach as breach
from seatrial.suite import Required as Required
from seatrial.suite import Task as Task
from seatrial.suite import before as before
from seatrial.suite import load_contract as load_contract
from seatrial.suite import load_suite as load_suite
from seatrial.world import Database as Database
from seatrial.world import Documents as Documents
from seatrial.world import Sqlite as Sqlite
from seatrial.world import ToolError as ToolError
from seatrial.world import UserChannel as UserChannel
from seatrial.world import invariant as invariant
from seatrial.world import load_definition as load_definition
from seatrial.world import normaliser as normaliser
from seatrial.world import probe as probe
from seatrial.world import tool as tool

__version__: str
